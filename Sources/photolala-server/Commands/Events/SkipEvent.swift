import ArgumentParser
import PhotolalaAPI

/// Skips one event, so that later events of the account are sent.
struct SkipEvent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip", abstract: "Never send the next event of an account; those after it are sent."
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The account's id.")
    var user: String

    @Argument(help: "The event's sequence, as `events list` shows it.")
    var sequence: Int

    func validate() throws {
        guard UserID(user) != nil else { throw ValidationError("\(user) is not an account's id") }
    }

    func run() async throws {
        try await ExitStatus.reporting {
            guard let user = UserID(user) else { return }
            try await EventOutboxSession.open(options) { desk in
                guard let next = try await desk.next(of: user) else {
                    throw StartProblem("\(user) has no event to send")
                }
                guard next.event.sequence == sequence else {
                    throw StartProblem("the next event of \(user) is \(next.event.sequence) and not \(sequence)")
                }
                _ = try await desk.accounts.markSent(through: sequence, of: next.account)
                try await desk.outbox.makeDue(user)
                print("\(sequence) \(next.event.type.rawValue) of \(user) is not sent any more")
            }
        }
    }
}
