import ArgumentParser
import PhotolalaAPI

/// Schedules the events of one account, or of all accounts, for an immediate attempt.
struct RetryEvents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Have a server try the events of one account, or of all that wait, at once."
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The account's id; without one all accounts that wait.")
    var user: String?

    func validate() throws {
        if let user, UserID(user) == nil { throw ValidationError("\(user) is not an account's id") }
    }

    func run() async throws {
        try await ExitStatus.reporting {
            try await EventOutboxSession.open(options) { desk in
                var count = 0
                if let user = user.flatMap({ UserID($0) }) {
                    guard let account = try await desk.accounts.account(user)?.value,
                        try await desk.accounts.isPublishable(account)
                    else { throw StartProblem("there is no account \(user)") }
                    try await desk.outbox.makeDue(user)
                    count = 1
                } else {
                    try await desk.forEach { user, _ in
                        try await desk.outbox.makeDue(user)
                        count += 1
                    }
                }
                print("\(count) accounts are tried within ten seconds of a server's looking")
            }
        }
    }
}
