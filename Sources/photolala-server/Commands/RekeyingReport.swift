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
            "\(summary.accounts) accounts with \(summary.links) links and \(summary.claims) claims looked at: "
            + "\(summary.claimed) links have every name that counts, \(summary.remaining) have the old one alone, "
            + "\(summary.unclaimed) stand for no identity now, \(summary.problems) links or accounts cannot move, "
            + "\(summary.damagedClaims) claims are damaged"
        return "\(found)\n\(advice(summary, step))"
    }

    func line(_ migration: RekeyingState?) -> String {
        guard !isJSON else { return JSONLine.encode(["migration": migration]) }
        guard let migration else { return "no migration is under way" }
        let target = "to \(migration.subjects.rawValue) subjects under the master key \(migration.subjectKeyID)"
        let since = migration.since.formatted(.iso8601)
        switch migration.phase {
        case .both: return "\(target): both names count since \(since); --confirm or --undo ends that"
        case .confirmed: return "\(target): confirmed at \(since), the old names are going; --confirm goes on"
        case .undone: return "\(target): undone at \(since), the new names are going; --undo goes on"
        }
    }

    private func advice(_ summary: RekeyingSummary, _ step: Step) -> String {
        switch step {
        case .planned where summary.isBlocked, .applied where summary.isBlocked, .stopped:
            "not all can move: see the findings, run repair, restore what was lost, and run this again"
        case .planned: "nothing was changed; --apply begins"
        case .applied: "both names count now; --confirm keeps the new ones, --undo the old ones"
        case .done: "done: one name counts again"
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
