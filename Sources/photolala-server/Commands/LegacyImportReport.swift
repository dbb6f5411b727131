import AccountMaintenance
import Accounts
import Foundation

/// Formats the results of a legacy import as text or JSON lines.
struct LegacyImportReport {
    let isJSON: Bool

    func line(_ finding: ImportFinding) -> String {
        guard !isJSON else { return JSONLine.encode(finding) }
        let about = [finding.account.map { "account \($0)" }, finding.object].compactMap(\.self).joined(separator: "  ")
        return "\(finding.isSettled ? "settled" : "found  ")  \(finding.kind.rawValue)  \(about)"
    }

    func line(_ move: LegacyImportState?) -> String {
        guard !isJSON else { return JSONLine.encode(["layoutMove": move]) }
        guard let move else { return "no migration is under way" }
        let since = move.since.formatted(.iso8601)
        switch move.phase {
        case .moving:
            return "from older layouts: begun at \(since) and not ended; --apply goes on, --undo takes it back"
        case .moved: return "from older layouts: both are there since \(since); --confirm or --undo ends that"
        case .confirmed:
            return "from older layouts: confirmed at \(since), the old objects are going; --confirm goes on"
        case .undone: return "from older layouts: undone at \(since), the new objects are going; --undo goes on"
        }
    }

    func line(_ summary: ImportSummary, _ step: LegacyImportCommand.Step) -> String {
        guard !isJSON else { return JSONLine.encode(summary) }
        switch step {
        case .confirm, .undo: return "\(summary.removed) objects removed, \(rest(summary))\ndone"
        case .apply:
            return
                "\(counts(summary))\nboth are there now: servers may start; --confirm removes the old objects, --undo "
                + "the new ones"
        case .plan, .status: return "\(counts(summary))\nnothing was changed; --apply begins"
        }
    }

    func stopped(_ summary: ImportSummary) -> String {
        guard !isJSON else { return JSONLine.encode(summary) }
        return "\(summary.unproven) copies are not as they were made; nothing was removed. Run --from older-layouts "
            + "--apply again, or --undo"
    }

    private func counts(_ summary: ImportSummary) -> String {
        "\(summary.claims) identities, \(summary.claimsMoved) of them moved; \(summary.files) objects of users with "
            + "\(summary.bytes) bytes belong elsewhere, \(summary.filesMoved) of them moved; \(summary.filesInPlace) "
            + "stand where they belong; \(summary.photosListed) photos put into catalogs; \(rest(summary))"
    }

    private func rest(_ summary: ImportSummary) -> String {
        summary.findings == 0 ? "nothing is left behind" : "\(summary.findings) findings stay where they are"
    }
}
