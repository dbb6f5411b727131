import Accounts
import ArgumentParser
import Foundation
import PhotolalaAPI
import ServiceWiring
import Sessions
import UseCases

/// Shows an account.
struct ShowAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an account: its links, devices, deletion, hold, disabling and last audit entries.",
        discussion: """
            Changes nothing. Shows no subject and no e-mail address. The audit entries are not verified: see \
            photolala-server audit.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The account id, as shown by `photolala whoami`.")
    var user: String?

    @Option(help: ArgumentHelp("Find the account of an identity of this provider.", valueName: "name"))
    var provider: String?

    @Option(help: ArgumentHelp("The provider's id of the user, with --provider.", valueName: "id"))
    var subject: String?

    @Option(help: ArgumentHelp("Find the account of an e-mail address that a provider verified.", valueName: "address"))
    var email: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        let ways = [user, subject, email].compactMap(\.self)
        guard ways.count == 1, (provider == nil) == (subject == nil) else {
            throw ValidationError("Give an account id, --provider and --subject, or --email.")
        }
        if let user, UserID(user) == nil { throw ValidationError("invalid account id: \(user)") }
        if let provider, ProviderName(provider) == nil {
            throw ValidationError("invalid provider name: \(provider)")
        }
    }

    func run() async throws {
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.account")
            try await LiveStore.use(settings, for: .reading, logger: logger) { store in
                let accounts = try await LiveStore.accounts(store, settings)
                let devices = DeviceDirectory(store: store, retry: LiveStore.retry)
                let account = try await find(accounts)
                let inspection = AccountInspection(
                    accounts: accounts, devices: devices, tiers: Tiers(plan: settings.purchases.plan) { Date() },
                    now: { Date() })
                let report = try await inspection.report(on: account)
                print(json ? JSONLine.encode(report) : report.text)
            }
        }
    }

    private func find(_ accounts: AccountDirectory) async throws -> AccountDocument {
        do {
            if let provider = provider.flatMap({ ProviderName($0) }), let subject {
                guard let account = try await accounts.linkedAccount(provider, subject) else {
                    throw CommandRefusal("account not found: this identity at \(provider) is not linked")
                }
                return account
            }
            if let email {
                guard let account = try await accounts.account(hintedBy: email) else {
                    throw CommandRefusal("account not found: no provider has verified this address for an account")
                }
                return account
            }
            guard let id = user.flatMap({ UserID($0) }), let account = try await accounts.account(id)?.value else {
                throw CommandRefusal("account not found: \(user ?? "")")
            }
            return account
        } catch AccountError.store(let error) {
            throw error
        }
    }
}
