import ArgumentParser
import PhotolalaClient

struct UndoCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo the last trash command of this device, or what its last sync moved to the trash.",
        discussion: """
            Undoes the last `trash put` or `trash restore` of this profile, or what its last `sync` moved to the trash. Photos that were changed since, on any device, keep their state. `trash purge` and `undo` \
            cannot be undone.
            """
    )

    @Flag(name: [.long, .customShort("n")], help: "Only show what would be undone.")
    var dryRun = false

    @OptionGroup var confirmation: ConfirmationOption

    @OptionGroup var common: CommonOptions

    func perform(_ context: CommandContext) async throws -> UndoResult {
        if !dryRun { try confirmation.requireAnswer("Nothing was changed.") }
        let (isSure, isDryRun) = (confirmation.yes, dryRun)
        let report = try await context.library.undo { report in
            if isDryRun { return false }
            if isSure { return true }
            for line in FailureLines.lines(report.paths) { Terminal.writeNotice(line) }
            return await Confirmation.prompt("Undo \(UndoStrings.change(report)): \(UndoStrings.effect(report))?")
        }
        return UndoResult(report: report, isDryRun: isDryRun)
    }
}

/// The result of undoing the last change.
struct UndoResult: CommandResult {
    let report: UndoReport
    var isDryRun = false

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if report.files == 0 || !report.isDone && !isDryRun { return .failed }
        let isPartial = report.changedFiles + report.purgedFiles + report.missing.count > 0
        return report.isDone && isPartial ? .someFilesFailed : .done
    }

    var text: String {
        let change = UndoStrings.change(report)
        let headline =
            if report.files == 0 {
                "Cannot undo \(change)."
            } else if report.isDone {
                "Undid \(change): \(UndoStrings.effect(report))."
            } else if isDryRun {
                "Would undo \(change): \(UndoStrings.effect(report))."
            } else {
                "Nothing was changed."
            }
        let planned = isDryRun ? FailureLines.lines(report.paths) : []
        return ([headline] + planned + FailureLines.lines(report.keptBeside) + UndoStrings.exceptions(report))
            .joined(separator: "\n")
    }
}
