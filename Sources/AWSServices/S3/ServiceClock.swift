import Foundation
import HTTPTypes
import SigV4
import Synchronization

/// The time for signatures: this machine's, put right by what the service says where that was asked for.
final class ServiceClock: Sendable {
    private let local: @Sendable () -> Date
    private let offset = Mutex(0.0)

    init(_ local: @escaping @Sendable () -> Date) { self.local = local }

    func now() -> Date { local().addingTimeInterval(offset.withLock { $0 }) }

    /// Takes the service's time from the head of an answer that refused ours; `false` when it tells nothing new.
    func learn(from headers: HTTPFields) -> Bool {
        guard let theirs = headers[.date].flatMap(S3Date.http) else { return false }
        let difference = theirs.timeIntervalSince(local())
        return offset.withLock { offset in
            guard abs(difference - offset) > 60 else { return false }
            offset = difference
            return true
        }
    }
}
