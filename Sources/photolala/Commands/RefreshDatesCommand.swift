import ArgumentParser
import Foundation
import PhotolalaClient

struct RefreshDatesCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh-dates", abstract: "Add missing capture dates and time zones to the library.",
        discussion: """
            Reads at most 1 MiB of each photo or video without a date or time zone in the library. Photos without a time \
            zone get that of neighboring photos, else --zone, else this device's unless it is UTC. An interrupted run \
            resumes when you run it again.

            Example:  photolala refresh-dates 2019/Japan --zone Asia/Tokyo
            """
    )

    @OptionGroup var wanted: FilterOptions

    @Option(
        name: .customLong("folder"),
        help: ArgumentHelp(
            "Read unchanged files from this local folder instead of the photo store. Repeatable.",
            valueName: "dir"
        ), completion: .directory)
    var folders: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Time zone for photos without one: Asia/Tokyo, +09:00, -05:00. Default: this device's.",
            valueName: "zone"
        ))
    var zone: ZoneOption?

    @Flag(name: [.long, .customShort("n")], help: "Only show what would be added.")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    var interruptedAdvice: String { "Dates found so far are kept. Run the same command again to resume." }

    func validate() throws {
        for folder in folders { try TextChecks.check(folder, of: "--folder", expects: "a folder") }
    }

    func perform(_ context: CommandContext) async throws -> RefreshDatesResult {
        let refresh = context.library.refreshDates(
            where: wanted.filter, readingCopiesIn: folders.map { URL(fileURLWithPath: $0) }, timeZone: zone?.zone,
            isDryRun: dryRun)
        let report = try await ProgressDisplay.watch(refresh, verb: "Reading", in: context)
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
        guard report.wantedFiles > 0 || report.stopped != nil else { return "No matching photos. Nothing was changed." }
        let verb = report.isDryRun ? "Would add" : "Added"
        var lines = ["\(verb) dates or time zones for \(report.datedFiles) of \(Counted.photos(report.wantedFiles))."]
        if let count = report.zonedFiles, count > 0, let zone = report.timeZone {
            let verb = report.isDryRun ? "would get" : "got"
            lines.append(
                "\(Counted.photos(count)) without a time zone \(verb) \(zone). Later runs do not change this.")
        }
        if report.undatedFiles > 0 {
            lines.append("No date or time zone found in \(Counted.photos(report.undatedFiles)).")
        }
        if !report.failures.isEmpty {
            lines.append("Failed to read \(Counted.photos(report.failures.count)):")
            lines += FailureLines.lines(report.failures)
        }
        if !report.archived.isEmpty {
            lines.append("\(Counted.photos(report.archived.count)) not read (archived):")
            lines += FailureLines.lines(report.archived)
            lines.append(ArchiveLines.requestHint)
        }
        if let stopped = report.stopped { lines.append(stopped.detail) }
        return lines.joined(separator: "\n")
    }
}
