import AccountMaintenance
import Accounts
import Foundation

/// Formats the results of a legacy import as text or JSON lines.
struct LegacyImportReport {
    let isJSON: Bool

    func line(_ finding: ImportFinding) -> String {
        guard !isJSON else { return JSONLine.encode(finding) }
        let about = [finding.account.map { "account \($0)" }, finding.object].compactMap(\.self).joined(separator: "  ")
        return "\(finding.isSettled ? "resolved" : "found   ")  \(finding.kind.rawValue)  \(about)"
    }

    func line(_ state: LegacyImportState?) -> String {
        guard !isJSON else { return JSONLine.encode(["layoutMove": state]) }
        guard let state else { return "no migration in progress" }
        let since = state.since.formatted(.iso8601)
        switch state.phase {
        case .moving:
            return "legacy import: copying since \(since). Resume with --apply, or revert with --undo"
        case .moved: return "legacy import: old and new objects exist since \(since). End with --confirm or --undo"
        case .confirmed:
            return "legacy import: confirmed at \(since), removing old objects. Resume with --confirm"
        case .undone: return "legacy import: undone at \(since), removing new objects. Resume with --undo"
        }
    }

    func line(_ summary: ImportSummary, _ step: LegacyImportCommand.Step) -> String {
        guard !isJSON else { return JSONLine.encode(summary) }
        switch step {
        case .confirm, .undo: return "\(Counted.text(summary.removed, "object")) removed, \(findings(summary))\ndone"
        case .apply:
            return
                "\(counts(summary))\nold and new objects exist. Servers may start. --confirm removes the old objects, "
                + "--undo the new ones"
        case .plan, .status: return "\(counts(summary))\nnothing was changed. Start with --apply"
        }
    }

    func stopped(_ summary: ImportSummary) -> String {
        guard !isJSON else { return JSONLine.encode(summary) }
        return
            "\(Counted.text(summary.unproven, "copy", plural: "copies")) failed verification. Nothing was removed. Run --from older-layouts "
            + "--apply again, or --undo"
    }

    private func counts(_ summary: ImportSummary) -> String {
        "\(Counted.bindings(summary.claims)), \(summary.claimsMoved) of them moved; "
            + "\(Counted.text(summary.files, "user object")) with \(Counted.text(Int(summary.bytes), "byte")) to move, "
            + "\(summary.filesMoved) of them moved; \(summary.filesInPlace) already in place; "
            + "\(Counted.text(summary.photosListed, "photo")) added to catalogs; \(findings(summary))"
    }

    private func findings(_ summary: ImportSummary) -> String {
        summary.findings == 0 ? "no findings" : "\(Counted.findings(summary.findings)) left in place"
    }
}
