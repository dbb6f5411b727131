import ArgumentParser
import Foundation
import PhotolalaClient

struct RestoreCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Bring your photos and videos to a folder, with their names and dates.",
        discussion: "Nothing that stands there is replaced. Stop it whenever you like and run it again."
    )

    @Option(help: ArgumentHelp("The folder; made where it is missing.", valueName: "folder"))
    var to: String

    @OptionGroup var common: CommonOptions

    var interruptedAdvice: String { "What has come is there. Run the same command again to go on." }

    func validate() throws {
        try Texts.check(to, of: "--to", takes: "the name of a folder")
    }

    func perform(_ context: CommandContext) async throws -> RestoreResult {
        let display = ProgressDisplay(verb: "Restoring")
        defer { display.clear() }
        return RestoreResult(
            report: try await context.library.restore(to: URL(fileURLWithPath: to)) { display.show($0) }
        )
    }
}

/// What a restore did.
struct RestoreResult: CommandResult {
    let report: RestoreReport

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if let stopped = report.stopped { return ExitStatus(stopped.code) }
        return report.isComplete ? .done : .someFilesFailed
    }

    var text: String {
        var lines = [
            "\(Terminal.harmless(report.folder)): \(Counted.files(report.restoredFiles)) restored "
                + "(\(ByteText.text(report.restoredBytes))), \(report.alreadyThereFiles) there already."
        ]
        lines += FailureLines.lines(report.keptBeside)
        if !report.failures.isEmpty {
            lines.append("\(Counted.files(report.failures.count)) NOT restored:")
            lines += FailureLines.lines(report.failures)
        }
        if report.damagedFiles > 0 {
            lines.append("On a device that still has what the store lost:  photolala backup --verify FOLDER")
        }
        if let stopped = report.stopped { lines.append("\(stopped.detail) Run the same command again to go on.") }
        return lines.joined(separator: "\n")
    }
}
