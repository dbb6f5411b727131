import ArgumentParser
import PhotolalaAPI
import ServiceWiring

/// Schedules the events of one account, or of all accounts, for an immediate attempt.
struct RetryEvents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Retry the pending events of one account, or of all accounts, at once."
    )

    @OptionGroup var options: SettingsOptions

    @OptionGroup var channel: EventChannelOptions

    @Argument(help: "The account id; default: all accounts with pending events.")
    var user: String?

    func validate() throws {
        if let user, UserID(user) == nil { throw ValidationError("invalid account id: \(user)") }
    }

    func run() async throws {
        try await ExitStatus.reporting {
            try await EventOutboxSession.open(options, channel.channel) { session in
                var count = 0
                if let user = user.flatMap({ UserID($0) }) {
                    guard let account = try await session.accounts.account(user)?.value,
                        try await session.accounts.isPublishable(account)
                    else { throw CommandRefusal("account not found: \(user)") }
                    try await session.outbox.makeDue(user)
                    count = 1
                } else {
                    try await session.forEach { user, _ in
                        try await session.outbox.makeDue(user)
                        count += 1
                    }
                }
                print("Scheduled \(Counted.accounts(count)). \(advice(hasReceiver: session.hasReceiver))")
            }
        }
    }

    /// Returns who sends next: a command may have other settings than the server.
    private func advice(hasReceiver: Bool) -> String {
        if hasReceiver { return "A running server retries within 10 seconds" }
        let missing = channel.mail ? "mail server" : "event receiver"
        let names = channel.mail ? "mail.url and mail.from" : "webhooks.url and webhooks.secrets"
        return "These settings name no \(missing): nothing is sent. Set \(names) for the server"
    }
}
