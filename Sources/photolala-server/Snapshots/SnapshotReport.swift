import AccountMaintenance
import Foundation
import Secrets

/// Messages about a snapshot for the operator.
enum SnapshotReport {
    static func contents(of summary: SnapshotSummary) -> String {
        let held = "\(summary.accounts) accounts, \(summary.claims) claims, \(summary.hints) hints"
        let left = summary.unreadable > 0 ? ", \(summary.unreadable) left out because they cannot be read" : ""
        return "\(held), \(summary.objects) objects of \(date(summary.startedAt))\(left)"
    }

    static func lines(_ summary: SnapshotSummary, _ keyRing: KeyRing, isDry: Bool) -> [String] {
        let missing = summary.keyIDs.filter { !keyRing.keyIDs.contains($0) }
        let keys =
            missing.isEmpty
            ? []
            : [
                "not in keys.previous: \(missing.joined(separator: ", ")). E-mail addresses sealed with it stay unread, "
                    + "and audit chains unproven"
            ]
        guard !isDry else {
            return ["sound: \(contents(of: summary))"] + keys + [
                "nothing was changed; --apply writes it into the store"
            ]
        }
        return ["recovered: \(contents(of: summary))"] + keys + [
            "everybody signs in again: all sessions of then are over",
            "before the server starts: photolala-server repair --apply, and ten minutes since the old one stopped",
        ]
    }

    /// Prints to standard error, because standard output may be the snapshot.
    static func printLine(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }

    private static func date(_ date: Date) -> String { date.formatted(.iso8601) }
}
