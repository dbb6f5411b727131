import ArgumentParser
import Foundation
import PhotolalaClient

struct RefreshDatesCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh-dates", abstract: "Read again when stored photos were taken, and in which time zone.",
        discussion: """
            For photos and videos whose date or time zone your library does not know: earlier versions kept no time \
            zone. Reads at most 1 MiB of each. A photo without a time zone gets the one of its neighbours, \
            else --zone, else this device's unless that is UTC. Run again it goes on where it was.

            A journey:  photolala refresh-dates 2019/Japan --zone Asia/Tokyo
            """
    )

    @OptionGroup var wanted: FilterOptions

    @Option(
        name: .customLong("folder"),
        help: ArgumentHelp(
            "A folder that you back up from this device: what is there unchanged is read there. Several: in turn.",
            valueName: "dir"
        ))
    var folders: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The time zone of photos without one, in place of this device's: Asia/Tokyo, +09:00, -05:00.",
            valueName: "zone"
        ))
    var zone: ZoneOption?

    @Flag(help: "Show what would be added.")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    var interruptedAdvice: String { "What was found is kept. Run it again to go on." }

    func validate() throws {
        for folder in folders { try TextChecks.check(folder, of: "--folder", takes: "a folder of this device") }
    }

    func perform(_ context: CommandContext) async throws -> RefreshDatesResult {
        let refresh = context.library.refreshDates(
            where: wanted.filter, readingCopiesIn: folders.map { URL(fileURLWithPath: $0) }, timeZone: zone?.zone,
            isDryRun: dryRun)
        let report = try await ProgressDisplay.watch(refresh, verb: "Reading", on: context.network)
        return RefreshDatesResult(report: report)
    }
}

/// The result of a date refresh.
struct RefreshDatesResult: CommandResult {
    let report: DateRefreshReport

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if let stopped = report.stopped { return ExitStatus(stopped.code) }
        return report.failures.isEmpty ? .done : .someFilesFailed
    }

    var text: String {
        let verb = report.isDryRun ? "Would add" : "Added"
        var lines = ["\(verb) the date or time zone of \(report.datedFiles) of \(Counted.photos(report.wantedFiles))."]
        if let count = report.zonedFiles, count > 0, let zone = report.timeZone {
            let verb = report.isDryRun ? "would get" : "got"
            lines.append(
                "\(Counted.photos(count)) without a time zone \(verb) \(zone), a guess that later runs do not correct.")
        }
        if report.undatedFiles > 0 {
            let verb = report.undatedFiles == 1 ? "has" : "have"
            lines.append("\(Counted.photos(report.undatedFiles)) \(verb) no further date information.")
        }
        if !report.failures.isEmpty {
            lines.append("\(Counted.photos(report.failures.count)) could not be read:")
            lines += FailureLines.lines(report.failures)
        }
        if !report.archived.isEmpty {
            lines.append("\(Counted.photos(report.archived.count)) not read, because they are archived:")
            lines += FailureLines.lines(report.archived)
        }
        if let stopped = report.stopped { lines.append(stopped.detail) }
        return lines.joined(separator: "\n")
    }
}
