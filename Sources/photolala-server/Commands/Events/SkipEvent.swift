import ArgumentParser
import PhotolalaAPI
import ServiceWiring

/// Skips one event, so that later events of the account are sent.
struct SkipEvent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip", abstract: "Skip the next event of an account. Later events are sent."
    )

    @OptionGroup var options: SettingsOptions

    @OptionGroup var channel: EventChannelOptions

    @Argument(help: "The account id.")
    var user: String

    @Argument(help: "The event's sequence, as shown by `events list`.")
    var sequence: Int

    func validate() throws {
        guard UserID(user) != nil else { throw ValidationError("invalid account id: \(user)") }
    }

    func run() async throws {
        try await ExitStatus.reporting {
            guard let user = UserID(user) else { return }
            try await EventOutboxSession.open(options, channel.channel) { session in
                guard let next = try await session.next(of: user) else {
                    throw StartProblem("no pending \(channel.noun) for \(user)")
                }
                guard next.event.sequence == sequence else {
                    throw StartProblem("the next \(channel.noun) of \(user) is \(next.event.sequence), not \(sequence)")
                }
                _ = try await session.accounts.markSent(
                    through: sequence, of: next.account, to: session.outbox.channel)
                try await session.outbox.makeDue(user)
                print("Skipped \(channel.noun) \(sequence) \(next.event.type.rawValue) of \(user)")
            }
        }
    }
}
