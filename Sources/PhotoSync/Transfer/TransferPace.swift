import Foundation

/// The number of parallel transfers. It increases while total throughput improves, and is halved if the store throttles
/// requests.
struct TransferPace: Sendable {
    /// The fixed cost of a file in addition to its bytes, expressed in bytes, so that small files are weighted
    /// correctly.
    private static let perFile = 64.0 * 1024
    /// The minimum length of a measurement window in seconds. It also needs one finished file per slot.
    private static let window = 0.5
    /// After this many windows without a change the limit is raised by one again, because networks change.
    private static let patience = 16

    private let range: ClosedRange<Int>
    private(set) var limit: Int
    private var best = 0.0
    private var start: Date?
    private var work = 0.0
    private var files = 0
    private var steadyIntervals = 0
    private var quietUntil: Date?

    init(_ range: ClosedRange<Int>) {
        self.range = range
        limit = min(max(6, range.lowerBound), range.upperBound)
    }

    /// Records an uploaded file.
    mutating func recordTransfer(bytes: Int64, at moment: Date) {
        // If the clock was set back, measuring restarts.
        guard let start, moment >= start else { return restart(at: moment) }
        work += Double(bytes) + Self.perFile
        files += 1
        let time = moment.timeIntervalSince(start)
        guard files >= limit, time >= Self.window else { return }
        adjustLimit(work / time)
        restart(at: moment)
    }

    /// Records that the store throttled a request or did not respond. Several failures within a second count once.
    mutating func recordRefusal(at moment: Date) {
        if let quietUntil, moment < quietUntil, quietUntil.timeIntervalSince(moment) <= 1 { return }
        quietUntil = moment.addingTimeInterval(1)
        limit = max(range.lowerBound, limit / 2)
        (best, steadyIntervals) = (0, 0)
        restart(at: moment)
    }

    private mutating func adjustLimit(_ rate: Double) {
        if rate > best * 1.03 {
            best = rate
            limit = min(limit + 1, range.upperBound)
            steadyIntervals = 0
        } else if rate < best * 0.8 {
            best = rate
            limit = max(limit - 1, range.lowerBound)
            steadyIntervals = 0
        } else {
            steadyIntervals += 1
            guard steadyIntervals >= Self.patience else { return }
            limit = min(limit + 1, range.upperBound)
            steadyIntervals = 0
        }
    }

    private mutating func restart(at moment: Date) {
        start = moment
        (work, files) = (0, 0)
    }
}
