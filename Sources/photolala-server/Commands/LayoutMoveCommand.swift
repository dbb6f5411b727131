import Accounts

/// One step of a move from older layouts, with what it says.
struct LayoutMoveCommand {
    enum Step {
        case plan, apply, confirm, undo, status
    }

    let migration: LayoutMigration
    let report: LayoutReport

    /// - Returns: whether everything has its place.
    func run(_ step: Step) async throws -> Bool {
        let summary: LayoutSummary
        do {
            switch step {
            case .plan: summary = try await migration.plan()
            case .apply: summary = try await migration.apply()
            case .confirm: summary = try await migration.confirm()
            case .undo: summary = try await migration.undo()
            case .status:
                print(report.line(try await migration.status()))
                return true
            }
        } catch LayoutMigrationError.incomplete(let found) {
            print(report.stopped(found))
            return false
        }
        print(report.line(summary, step))
        return summary.findings == 0
    }
}
