import Accounts
import ArgumentParser
import Foundation
import ObjectStorage
import PhotolalaAPI
import ServiceWiring
import UseCases

/// Commands with which an operator helps an account's owner, or follows a legal request.
struct AccountCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Show, export, disable or delete an account, end its sessions, hold it, or move an identity to it.",
        discussion: """
            A server may run on the store at the same time. Every change is recorded in the account's audit log with the \
            actor support and the reason, as is an export. Exit status: 1 for an account that does not exist or whose state does not allow \
            the change.
            """,
        subcommands: [
            ListAccounts.self, ShowAccount.self, CountAccountUsage.self, ExportAccount.self, EndSessions.self,
            DisableAccount.self, EnableAccount.self, DeleteAccount.self, UndeleteAccount.self, HoldAccount.self,
            ReleaseAccount.self, MoveIdentity.self, CompleteMove.self, CancelMove.self,
        ]
    )
}

/// The arguments of the commands that change or export an account.
struct AccountChangeOptions: ParsableArguments {
    @OptionGroup var options: SettingsOptions

    @Argument(help: "The account id, as shown by `photolala whoami`.")
    var user: String

    @Option(help: ReasonArgument.help)
    var reason: String

    func validate() throws {
        guard UserID(user) != nil else { throw ValidationError("invalid account id: \(user)") }
        try ReasonArgument.check(reason)
    }

    /// Opens the store and performs a change.
    func perform(
        _ change: (AccountSupport, UserID, OperatorReason) async throws -> Void
    ) async throws {
        try await open { store, settings, user, reason in
            let accounts = try await LiveStore.accounts(store.objects, settings)
            let codes = DeletionCodes(keyRing: accounts.keyRing, randomness: .system)
            try await change(AccountSupport(accounts: accounts, codes: codes), user, reason)
        }
    }

    /// Opens the store, and reports a refusal.
    func open(_ work: (OpenStore, Settings, UserID, OperatorReason) async throws -> Void) async throws {
        try await ExitStatus.reporting {
            guard let user = UserID(user), let reason = OperatorReason(reason) else { return }
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.account")
            try await LiveStore.open(settings, for: .changes, logger: logger) { store in
                do {
                    try await work(store, settings, user, reason)
                } catch let refusal as AccountSupport.Refusal {
                    throw CommandRefusal(Self.text(refusal, user))
                } catch AccountError.store(let error) {
                    throw error
                }
            }
        }
    }

    private static func text(_ refusal: AccountSupport.Refusal, _ user: UserID) -> String {
        switch refusal {
        case .notFound: "account not found: \(user)"
        case .unfinished: "the sign-up of account \(user) was never finished. repair --apply removes it"
        case .erasing: "account \(user) is being erased: its data is already gone. Nothing was changed"
        case .deletionScheduled:
            "the deletion of account \(user) is already scheduled. See photolala-server account show \(user)"
        case .noDeletionScheduled: "no deletion of account \(user) is scheduled"
        case .held(let since): "account \(user) has had a legal hold since \(since.ISO8601Format())"
        case .notHeld: "account \(user) has no legal hold"
        case .disabled(let since): "account \(user) has been disabled since \(since.ISO8601Format())"
        case .notDisabled: "account \(user) is not disabled"
        case .noIdentity:
            "the last identity of account \(user) was moved away: its deletion cannot be cancelled"
        }
    }
}
