import AccountMaintenance
import Accounts
import Foundation

/// Formats the results of a re-keying as text or JSON lines.
struct RekeyingReport {
    /// The step that a summary describes.
    enum Step {
        case planned
        case applied
        case done
        /// Blocked by findings.
        case stopped
    }

    let isJSON: Bool

    func line(_ summary: RekeyingSummary, _ step: Step) -> String {
        guard !isJSON else { return JSONLine.encode(summary) }
        let found =
            "checked \(Counted.accounts(summary.accounts)), \(Counted.text(summary.links, "link")) and "
            + "\(Counted.bindings(summary.claims)): \(Counted.text(summary.claimed, "link")) with all binding keys, "
            + "\(summary.remaining) with only the old one, \(summary.unclaimed) without a binding, "
            + "\(Counted.text(summary.problems, "link or account", plural: "links or accounts")) cannot be re-keyed, "
            + Counted.text(summary.damagedClaims, "damaged binding")
        return "\(found)\n\(advice(summary, step))"
    }

    func line(_ migration: RekeyingState?) -> String {
        guard !isJSON else { return JSONLine.encode(["migration": migration]) }
        guard let migration else { return "no migration in progress" }
        let target = "re-keying to \(migration.subjects.rawValue) keys under the master key \(migration.subjectKeyID)"
        let since = migration.since.formatted(.iso8601)
        switch migration.phase {
        case .both: return "\(target): old and new keys are valid since \(since). End with --confirm or --undo"
        case .confirmed: return "\(target): confirmed at \(since), removing old keys. Resume with --confirm"
        case .undone: return "\(target): undone at \(since), removing new keys. Resume with --undo"
        }
    }

    private func advice(_ summary: RekeyingSummary, _ step: Step) -> String {
        switch step {
        case .planned where summary.isBlocked, .applied where summary.isBlocked, .stopped:
            "blocked by findings. Run repair, restore lost objects, and run this again"
        case .planned: "nothing was changed. Start with --apply"
        case .applied: "old and new keys are valid. --confirm keeps the new keys, --undo the old ones"
        case .done: "done: one key per identity"
        }
    }
}

/// Encodes a value as one line of JSON.
enum JSONLine {
    static func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
