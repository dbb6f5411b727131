import AccountMaintenance
import Foundation
import Secrets

/// Messages about a snapshot for the operator.
enum SnapshotReport {
    static func contents(of summary: SnapshotSummary) -> String {
        let contents =
            "\(Counted.accounts(summary.accounts)), \(Counted.bindings(summary.claims)), "
            + Counted.text(summary.hints, "hint")
        let left = summary.unreadable > 0 ? ", \(summary.unreadable) unreadable skipped" : ""
        return "\(contents), \(Counted.text(summary.objects, "object")) of \(date(summary.startedAt))\(left)"
    }

    static func lines(_ summary: SnapshotSummary, _ keyRing: KeyRing, isDryRun: Bool) -> [String] {
        let missing = summary.keyIDs.filter { !keyRing.keyIDs.contains($0) }
        let keys =
            missing.isEmpty
            ? []
            : [
                "not in keys.previous: \(missing.joined(separator: ", ")). Email addresses sealed with it remain "
                    + "unreadable, and audit logs unverified"
            ]
        guard !isDryRun else {
            return ["valid: \(contents(of: summary))"] + keys + [
                "nothing was changed. Restore it with --apply"
            ]
        }
        return ["recovered: \(contents(of: summary))"] + keys + [
            "all sessions have ended. All users must sign in again",
            "before starting the server: add accounts deleted since the snapshot, with photolala-server deletions --import, and "
                + "run photolala-server repair --apply, 10 minutes after the old one stopped",
        ]
    }

    /// Prints to standard error, because standard output may be the snapshot.
    static func printLine(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }

    private static func date(_ date: Date) -> String { date.formatted(.iso8601) }
}
