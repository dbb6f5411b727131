import Foundation

/// How many transfers go on at the same time: one more while that makes all of them together faster, half as many when
/// the store says that it is too much.
struct TransferPace: Sendable {
    /// A file's own cost beside its bytes, in bytes, so that small files count as the work that they are.
    private static let perFile = 64.0 * 1024
    /// A window is judged when it is this long, in seconds, and has seen each place filled once.
    private static let window = 0.5
    /// After so many windows without a change one more is tried again, for networks change.
    private static let patience = 16

    private let range: ClosedRange<Int>
    private(set) var limit: Int
    private var best = 0.0
    private var start: Date?
    private var work = 0.0
    private var files = 0
    private var calm = 0
    private var calmUntil: Date?

    init(_ range: ClosedRange<Int>) {
        self.range = range
        limit = min(max(6, range.lowerBound), range.upperBound)
    }

    /// Notes a file that was sent.
    mutating func note(bytes: Int64, at moment: Date) {
        // A clock that was set back begins anew.
        guard let start, moment >= start else { return restart(at: moment) }
        work += Double(bytes) + Self.perFile
        files += 1
        let time = moment.timeIntervalSince(start)
        guard files >= limit, time >= Self.window else { return }
        judge(work / time)
        restart(at: moment)
    }

    /// Notes that the store asked for less, or did not answer. Those who were under way together count once.
    mutating func noteRefusal(at moment: Date) {
        if let calmUntil, moment < calmUntil, calmUntil.timeIntervalSince(moment) <= 1 { return }
        calmUntil = moment.addingTimeInterval(1)
        limit = max(range.lowerBound, limit / 2)
        (best, calm) = (0, 0)
        restart(at: moment)
    }

    private mutating func judge(_ rate: Double) {
        if rate > best * 1.03 {
            best = rate
            limit = min(limit + 1, range.upperBound)
            calm = 0
        } else if rate < best * 0.8 {
            best = rate
            limit = max(limit - 1, range.lowerBound)
            calm = 0
        } else {
            calm += 1
            guard calm >= Self.patience else { return }
            limit = min(limit + 1, range.upperBound)
            calm = 0
        }
    }

    private mutating func restart(at moment: Date) {
        start = moment
        (work, files) = (0, 0)
    }
}
