import Accounts
import ArgumentParser
import ObjectStorage
import PhotolalaAPI
import ServiceWiring

/// Which events a command concerns.
struct EventChannelOptions: ParsableArguments {
    @Flag(help: "The security e-mails instead of the webhooks.")
    var mail = false

    var channel: EventChannel { mail ? .mail : .webhook }

    /// The option in advice.
    var option: String { mail ? " --mail" : "" }

    /// What is sent, in messages.
    var noun: String { mail ? "e-mail" : "event" }
}

/// The event outbox of a store, for the `events` commands.
struct EventOutboxSession {
    let accounts: AccountDirectory
    let outbox: EventOutbox
    /// Whether the settings name a receiver of the events, or a mail server.
    let hasReceiver: Bool

    /// Opens the store that the settings name.
    static func open(
        _ options: SettingsOptions, _ channel: EventChannel, for purpose: StorePurpose = .changes,
        _ body: (EventOutboxSession) async throws -> Void
    ) async throws {
        let settings = try options.read()
        try LiveStore.requireStore(settings)
        let logger = settings.log.makeLogger("photolala.events")
        try await LiveStore.use(settings, for: purpose, logger: logger) { store in
            let accounts = try await LiveStore.accounts(store, settings)
            let outbox = Live.makeOutbox(store, channel, logger: logger)
            let hasReceiver = channel == .mail ? settings.mail != nil : settings.webhooks != nil
            try await body(EventOutboxSession(accounts: accounts, outbox: outbox, hasReceiver: hasReceiver))
        }
    }

    /// Calls a closure for every delivery, in account order. A damaged delivery is passed as `nil`.
    func forEach(_ body: (UserID, EventDelivery?) async throws -> Void) async throws {
        var after: String?
        repeat {
            let page = try await outbox.deliveries(after: after)
            for object in page.objects {
                let name = object.key.description.dropFirst(outbox.channel.deliveries.count).prefix(36)
                guard let user = UserID(String(name)) else { continue }
                var found: EventDelivery?
                do throws(AccountError) {
                    found = try await outbox.delivery(object.key)
                    guard found != nil else { continue }
                } catch {
                    guard case .corrupted = error else { throw error }
                }
                try await body(user, found)
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
    }

    /// Returns the next unsent event of an account, or `nil` if all events in its chain were sent. Writes nothing.
    func next(of user: UserID) async throws -> (event: AccountEvent, account: Stored<AccountDocument>)? {
        guard let account = try await accounts.account(user) else { throw CommandRefusal("account not found: \(user)") }
        var remaining = account.value
        while let unsent = try await accounts.unsentEvents(of: remaining, for: outbox.channel) {
            if let event = unsent.events.first { return (event, account) }
            remaining.skipEvents(through: unsent.through, of: outbox.channel)
        }
        return nil
    }
}
