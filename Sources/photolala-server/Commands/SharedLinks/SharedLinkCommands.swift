import Accounts
import ArgumentParser
import Foundation
import ObjectStorage
import PhotolalaAPI
import ServiceWiring
import Sharing
import UseCases

/// Commands with which an operator follows a report of abuse.
struct SharedLinkCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shared-link", abstract: "Show, disable or enable a shared link.",
        discussion: """
            A server may run on the store at the same time. Changes are recorded in the account's audit log with the actor \
            support and the reason. Exit status: 1 for an address that is no shared link.
            """,
        subcommands: [ShowSharedLink.self, DisableSharedLink.self, EnableSharedLink.self])
}

/// The arguments of the commands for one shared link.
struct SharedLinkOptions: ParsableArguments {
    @OptionGroup var options: SettingsOptions

    @Argument(help: "The address of the link or of a page below it: `https://…/s/…`.")
    var address: String

    /// Opens the store, finds the link, and reports a refusal.
    func open(
        for purpose: StorePurpose, _ work: (SharedLinkSupport, UserID, SharedLinkSupport.Report) async throws -> Void
    ) async throws {
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.shared-link")
            try await LiveStore.open(settings, for: purpose, logger: logger) { store in
                let accounts = try await LiveStore.accounts(store.objects, settings)
                let links = SharedLinks(
                    store: store.objects, retry: LiveStore.retry, randomness: .system, now: { Date() })
                let support = SharedLinkSupport(accounts: accounts, links: links, now: { Date() })
                guard let (user, link) = try await support.find(address) else {
                    throw CommandRefusal("shared link not found")
                }
                do { try await work(support, user, link) } catch ServiceError.notFound {
                    throw CommandRefusal("account \(user) does not exist, or is being erased")
                }
            }
        }
    }
}

/// Shows a shared link and whose it is.
struct ShowSharedLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a shared link and its account.")

    @OptionGroup var link: SharedLinkOptions

    func run() async throws {
        try await link.open(for: .reading) { _, user, link in
            let state =
                link.disabledAt.map { "disabled since \($0.ISO8601Format()): \(link.disabledReason ?? "")" }
                ?? (link.expiresAt.map { $0 <= Date() } == true ? "expired" : "open")
            let facts = [
                ("state", state), ("title", "\(link.title.debugDescription)"),
                ("shows", link.album.map { "album \($0)" } ?? "\(link.photos ?? 0) photos"),
                ("created", link.createdAt.ISO8601Format()),
                ("expires", link.expiresAt?.ISO8601Format() ?? "never"),
                ("password", link.hasPassword ? "yes" : "no"), ("views", "\(link.views)"),
            ]
            print("shared link \(link.id) of account \(user)")
            for (name, value) in facts {
                print("  \(name.padding(toLength: 8, withPad: " ", startingAt: 0))  \(value)")
            }
        }
    }
}

/// Disables a shared link.
struct DisableSharedLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Disable a shared link: it opens nothing until it is enabled.",
        discussion: "Its owner sees that support disabled it, and the reason in the account's history.")

    @OptionGroup var change: SharedLinkChangeOptions

    func run() async throws {
        try await change.perform { support, user, id, reason in
            try await support.disable(id, of: user, reason: reason)
            print("disabled shared link \(id) of account \(user)")
        }
    }
}

/// Enables a shared link.
struct EnableSharedLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Enable a disabled shared link.")

    @OptionGroup var change: SharedLinkChangeOptions

    func run() async throws {
        try await change.perform { support, user, id, reason in
            try await support.enable(id, of: user, reason: reason)
            print("enabled shared link \(id) of account \(user)")
        }
    }
}

/// The arguments of the commands that change a shared link.
struct SharedLinkChangeOptions: ParsableArguments {
    @OptionGroup var link: SharedLinkOptions

    @Option(help: ReasonArgument.help)
    var reason: String

    func validate() throws { try ReasonArgument.check(reason) }

    func perform(
        _ act: (SharedLinkSupport, UserID, SharedLinkID, OperatorReason) async throws -> Void
    ) async throws {
        try await link.open(for: .changes) { support, user, found in
            guard let id = SharedLinkID(found.id), let reason = OperatorReason(reason) else { return }
            try await act(support, user, id, reason)
        }
    }
}
