import Foundation
import PhotolalaAPI

/// How far the full recounts of all accounts are, stored by the counting job.
package struct RecountProgress: Codable, Sendable, Equatable {
    /// When a run of a version that marks changes first counted all accounts.
    package let startedAt: Date
    /// All accounts whose time in the weekly schedule was before this are recounted.
    package let recountedUntil: Date
}

/// The accounts that a run of the counting job recounts although no change is known: each once a week, at a time that
/// depends on its id, so that each day has the same share.
package struct RecountSchedule: Sendable {
    /// The time between two recounts of an account, in seconds.
    static let interval: TimeInterval = 7 * 86_400
    /// How long all runs recount all accounts, in seconds: instances of a version without marks may run beside.
    static let upgradePeriod: TimeInterval = 3 * 86_400

    private let last: RecountProgress?
    private let time: Date

    /// - Parameter last: the stored progress; `nil` before the first run, and after one of a version without marks.
    package init(after last: RecountProgress?, at time: Date) {
        // Progress in the future comes from a wrong clock.
        self.last = last.flatMap { $0.recountedUntil <= time && $0.startedAt <= time ? $0 : nil }
        self.time = time
    }

    /// Whether all accounts are recounted, because changes may be unknown that are no error.
    package var coversUnmarkedChanges: Bool {
        last.map { time.timeIntervalSince($0.startedAt) < Self.upgradePeriod } ?? true
    }

    /// Returns whether the run recounts an account.
    package func includes(_ user: UserID) -> Bool {
        guard let last, !coversUnmarkedChanges else { return true }
        let position = Double(UInt16(user.uuid.uuid.0) << 8 | UInt16(user.uuid.uuid.1)) / 65_536
        let week = (time.timeIntervalSince1970 / Self.interval - position).rounded(.down)
        return (week + position) * Self.interval > last.recountedUntil.timeIntervalSince1970
    }

    /// The progress to store after the run.
    package var progress: RecountProgress {
        // Dates are stored in whole seconds.
        let time = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
        return RecountProgress(startedAt: last?.startedAt ?? time, recountedUntil: time)
    }
}
