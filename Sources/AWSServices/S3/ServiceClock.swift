import Foundation
import HTTPTypes
import S3Protocol
import Synchronization

/// The time for signatures: the local clock, optionally corrected by the service's.
final class ServiceClock: Sendable {
    private let local: @Sendable () -> Date
    private let offset = Mutex(0.0)

    init(_ local: @escaping @Sendable () -> Date) { self.local = local }

    func now() -> Date { local().addingTimeInterval(offset.withLock { $0 }) }

    /// Learns the service's time from the headers of a response that rejected the local time.
    /// - Returns: `false` if the headers contain nothing new.
    func adjust(from headers: HTTPFields) -> Bool {
        guard let serverDate = headers[.date].flatMap(S3Date.http) else { return false }
        let difference = serverDate.timeIntervalSince(local())
        return offset.withLock { offset in
            guard abs(difference - offset) > 60 else { return false }
            offset = difference
            return true
        }
    }
}
