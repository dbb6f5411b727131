import ArgumentParser
import Foundation
import ObjectStorage
import PhotolalaAPI
import ServiceWiring
import Sessions
import UseCases

/// Lists accounts.
struct ListAccounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List account IDs in ascending order, one per line.",
        discussion: "Costs one list request per account.")

    @OptionGroup var options: SettingsOptions

    @Option(help: ArgumentHelp("List only accounts after this one.", valueName: "user"))
    var after: String?

    @Option(help: ArgumentHelp("Maximum number of accounts to list (default all).", valueName: "number"))
    var limit: Int?

    @Flag(help: "Print one JSON object per account.")
    var json = false

    func validate() throws {
        if let after, UserID(after) == nil { throw ValidationError("invalid account id: \(after)") }
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    func run() async throws {
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.account")
            try await LiveStore.use(settings, for: .reading, logger: logger) { store in
                let inspection = AccountInspection(
                    accounts: try await LiveStore.accounts(store, settings),
                    devices: DeviceDirectory(store: store, retry: LiveStore.retry),
                    tiers: Tiers(plan: settings.purchases.plan) { Date() }, now: { Date() })
                var (next, left) = (after.flatMap { UserID($0) }, limit ?? .max)
                repeat {
                    let page = try await inspection.accounts(
                        after: next, limit: min(left, AccountInspection.maximumPage))
                    for user in page.accounts { print(json ? JSONLine.encode(AccountLine(account: user)) : "\(user)") }
                    (next, left) = (page.next, left - page.accounts.count)
                } while next != nil && left > 0
            }
        }
    }
}

/// An account of the list.
private struct AccountLine: Encodable {
    let account: UserID
}
