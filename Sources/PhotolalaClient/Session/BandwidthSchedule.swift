import Foundation

/// The maximum rate of all transfers of a network together, which may depend on the time of day. It applies to sent and to
/// received bytes separately.
public struct BandwidthSchedule: Sendable, Equatable {
    /// A rate that applies from a time of day until that of the next period.
    public struct Period: Sendable, Equatable {
        /// The start in the device's time zone, in minutes after midnight: 0 to 1,439.
        public let minute: Int
        /// The maximum rate in bytes per second; `nil` for none.
        public let bytesPerSecond: Int?

        /// Creates a period.
        public init(minute: Int, bytesPerSecond: Int?) { (self.minute, self.bytesPerSecond) = (minute, bytesPerSecond) }
    }

    /// The lowest rate, in bytes per second: uploads below it would time out.
    public static let minimum = 40_000

    /// By start. The last one is that of the time before the first.
    let periods: [Period]

    /// Creates a schedule with one rate.
    /// - Throws: `invalidRequest` for a rate below the minimum.
    public init(bytesPerSecond: Int) throws(PhotolalaError) {
        try self.init([Period(minute: 0, bytesPerSecond: bytesPerSecond)])
    }

    /// Creates a schedule that repeats each day.
    /// - Throws: `invalidRequest` without periods, if two begin at the same minute, or for a minute or rate out of range.
    public init(_ periods: [Period]) throws(PhotolalaError) {
        let sorted = periods.sorted { $0.minute < $1.minute }
        let isValid =
            !sorted.isEmpty && Set(sorted.map(\.minute)).count == sorted.count
            && sorted.allSatisfy {
                (0..<1_440).contains($0.minute) && $0.bytesPerSecond ?? Self.minimum >= Self.minimum
            }
        guard isValid else {
            throw PhotolalaError(
                code: .invalidRequest,
                detail: "A bandwidth limit must be at least \(Self.minimum / 1000) kB/s, and times must differ.")
        }
        self.periods = sorted
    }

    /// Returns the rate at a time of day, in bytes per second; `nil` if there is no limit.
    func bytesPerSecond(atMinute minute: Int) -> Int? {
        (periods.last { $0.minute <= minute } ?? periods.last)?.bytesPerSecond
    }

    /// Returns the rate at a date.
    func bytesPerSecond(at date: Date, in zone: TimeZone) -> Int? {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + zone.secondsFromGMT(for: date)
        return bytesPerSecond(atMinute: ((seconds % 86_400) + 86_400) % 86_400 / 60)
    }

    /// The number of files that may be transferred at the same time, so that each upload reaches its minimum rate.
    var maximumParallelFiles: Int {
        max(1, (periods.compactMap(\.bytesPerSecond).min() ?? .max) / (2 * Self.minimum))
    }
}
