import AccountMaintenance

/// Runs one step of a legacy import and prints its result.
struct LegacyImportCommand {
    enum Step {
        case plan, apply, confirm, undo, status
    }

    let migration: LegacyImport
    let report: LegacyImportReport
    let metrics: ImportMetrics?

    /// - Returns: Whether there are no findings.
    func run(_ step: Step) async throws -> Bool {
        let summary: ImportSummary
        do {
            switch step {
            case .plan: summary = try await migration.plan()
            case .apply:
                if let metrics {
                    summary = try await metrics.reporting { try await migration.apply() }
                } else {
                    summary = try await migration.apply()
                }
            case .confirm: summary = try await migration.confirm()
            case .undo: summary = try await migration.undo()
            case .status:
                print(report.line(try await migration.status()))
                return true
            }
        } catch LegacyImportError.incomplete(let found) {
            print(report.stopped(found))
            return false
        }
        print(report.line(summary, step))
        return summary.findings == 0
    }
}
