import Accounts
import ObjectStorage
import PhotolalaAPI

/// The outbox of a store, as the commands on it see it.
struct EventDesk {
    let accounts: AccountDirectory
    let outbox: EventOutbox

    /// Opens the store that the settings name.
    static func open(_ options: SettingsOptions, _ act: (EventDesk) async throws -> Void) async throws {
        let settings = try options.read()
        try LiveStore.requireStore(settings)
        try await LiveStore.use(settings, logger: settings.log.makeLogger("photolala.events")) { store in
            let accounts = try await LiveStore.accounts(store, settings)
            try await act(EventDesk(accounts: accounts, outbox: Live.makeOutbox(store)))
        }
    }

    /// Goes through all deliveries in the order of their accounts.
    func forEach(_ act: (EventDelivery) async throws -> Void) async throws {
        var after: String?
        repeat {
            let page = try await outbox.kept(after: after)
            for object in page.objects {
                if let delivery = try await outbox.delivery(object.key) { try await act(delivery) }
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
    }

    /// The next event of an account; `nil` when all that is in its chain were sent.
    func next(of user: UserID) async throws -> (event: AccountEvent, account: Stored<AccountDocument>)? {
        guard var account = try await accounts.account(user) else { throw StartProblem("there is no account \(user)") }
        while let unsent = try await accounts.unsentEvents(of: account.value) {
            if let event = unsent.events.first { return (event, account) }
            account = try await accounts.noteSent(through: unsent.through, of: account)
        }
        return nil
    }
}
