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

    /// - Parameter hasLedger: whether the deletions since the snapshot were given.
    static func lines(
        _ recovered: RecoveredSnapshot, _ keyRing: KeyRing, hasLedger: Bool, isDryRun: Bool
    ) -> [String] {
        let summary = recovered.summary
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
        return ["recovered: \(contents(of: summary))"] + keys + deletions(recovered) + [
            "all sessions have ended. All users must sign in again",
            "before you start the server: "
                + (hasLedger
                    ? ""
                    : "add accounts deleted since the snapshot (photolala-server deletions --import FILE), and ")
                + "run photolala-server repair --apply",
            "start it at least 10 minutes after the old server stopped",
        ]
    }

    private static func deletions(_ recovered: RecoveredSnapshot) -> [String] {
        let added = "\(Counted.text(recovered.addedDeletions, "deleted account")) added to the ledger"
        let again = recovered.deletedAgain.map { "deleted before, and erased again by the server: account \($0)" }
        return (recovered.addedDeletions > 0 ? [added] : []) + again
    }

    /// Prints to standard error, because standard output may be the snapshot.
    static func printLine(_ line: String) { ExitStatus.printLines(line) }

    private static func date(_ date: Date) -> String { date.formatted(.iso8601) }
}
