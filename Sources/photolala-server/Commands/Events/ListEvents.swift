import Accounts
import ArgumentParser
import Foundation
import PhotolalaAPI
import ServiceWiring
import Synchronization

/// Lists the accounts with unsent events.
struct ListEvents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List accounts with pending events, and the last rejection."
    )

    @OptionGroup var options: SettingsOptions

    @OptionGroup var channel: EventChannelOptions

    @Flag(help: "Print one JSON object per account.")
    var json = false

    func run() async throws {
        let refused = Mutex(0)
        let damaged = Mutex(0)
        try await ExitStatus.reporting {
            try await EventOutboxSession.open(options, channel.channel, for: .reading) { session in
                var count = 0
                try await session.forEach { user, delivery in
                    count += 1
                    guard let delivery else {
                        damaged.withLock { $0 += 1 }
                        ExitStatus.printError(
                            "\(user): damaged delivery record. Run `events retry\(channel.option) \(user)`")
                        return
                    }
                    if delivery.refusal != nil { refused.withLock { $0 += 1 } }
                    let line = EventLine(delivery, next: try? await session.next(of: user)?.event)
                    print(json ? JSONLine.encode(line) : line.text)
                }
                if !json {
                    let rejected = refused.withLock { $0 }
                    print("\(Counted.accounts(count)) with pending \(channel.noun)s, \(rejected) of them rejected")
                }
            }
        }
        if refused.withLock({ $0 }) + damaged.withLock({ $0 }) > 0 { throw ExitCode.failure }
    }
}

/// The state of one account's events.
struct EventLine: Encodable {
    let account: UserID
    /// The sequence number of the next event; absent while the event is not in the chain yet.
    var sequence: Int?
    var type: String?
    let tries: Int
    let nextTryAt: Date
    var refusedSince: Date?
    var reason: String?

    init(_ delivery: EventDelivery, next event: AccountEvent?) {
        account = delivery.user
        sequence = event?.sequence
        type = event?.type.rawValue
        tries = delivery.tries
        nextTryAt = delivery.nextTryAt
        refusedSince = delivery.refusal?.since
        reason = delivery.refusal?.reason
    }

    var text: String {
        let next = sequence.flatMap { sequence in type.map { "\(sequence) \($0)" } } ?? "not in the audit log yet"
        let refusal = refusedSince.map { since in
            "rejected \(Counted.text(tries, "time")) since \(since.ISO8601Format()): \(reason ?? "")"
        }
        return "\(account)  \(next)  next try \(nextTryAt.ISO8601Format())" + (refusal.map { "  \($0)" } ?? "")
    }
}
