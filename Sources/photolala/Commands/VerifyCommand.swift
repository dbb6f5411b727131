import ArgumentParser
import PhotolalaClient

struct VerifyCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify the integrity of stored photos.",
        discussion: """
            Downloads stored photos and compares them with the catalog. By default, verifies a new random sample each \
            time. Changes nothing. To repair damaged photos, on a device that has them:  photolala backup --verify FOLDER
            """
    )

    @OptionGroup var wanted: FilterOptions

    @Option(help: ArgumentHelp("Number or percentage of photos to verify: 500, 2%. Default: 100.", valueName: "n"))
    var sample: SampleOption?

    @Flag(help: "Verify all photos.")
    var all = false

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var transferOptions: TransferOptions? { transfer }

    var interruptedAdvice: String {
        "Nothing was changed. The next run \(all ? "starts from the beginning" : "verifies another sample")."
    }

    func validate() throws {
        if all, sample != nil { throw ValidationError("--sample and --all cannot be used together.") }
    }

    func perform(_ context: CommandContext) async throws -> VerifyResult {
        let sample = all ? VerificationSample.all : sample?.sample ?? .photos(100)
        let verification = context.library.verify(sample, where: wanted.filter)
        return VerifyResult(
            report: try await ProgressDisplay.watch(verification, verb: "Verifying", in: context))
    }
}

/// The size of a sample: `500` photos, or `2%` of them.
struct SampleOption: ExpressibleByArgument, Equatable {
    let sample: VerificationSample

    init?(argument: String) {
        if argument.hasSuffix("%") {
            guard let percent = Double(argument.dropLast()), percent > 0, percent <= 100 else { return nil }
            sample = .percent(percent)
        } else {
            guard let count = Int(argument), count > 0 else { return nil }
            sample = .photos(count)
        }
    }
}

/// The result of a verification.
struct VerifyResult: CommandResult {
    let report: VerificationReport

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }

    var status: ExitStatus {
        if let stopped = report.stopped { return ExitStatus(stopped.code) }
        return report.isSound ? .done : .someFilesFailed
    }

    var text: String {
        guard report.wantedFiles > 0 || report.stopped != nil else {
            return "No matching photos. Nothing was verified."
        }
        var lines = [
            "Verified \(report.checkedFiles) of \(Counted.photos(report.wantedFiles)) "
                + "(\(ByteText.text(report.checkedBytes))): "
                + (report.failures.isEmpty ? undamagedText : "\(report.failures.count) damaged or unreadable:")
        ]
        lines += FailureLines.lines(report.failures)
        if !report.archived.isEmpty {
            lines.append("\(Counted.photos(report.archived.count)) not verified (archived):")
            lines += FailureLines.lines(report.archived)
            lines.append(ArchiveLines.requestHint)
        }
        if report.damagedFiles > 0 {
            lines.append("To repair them, on a device that has the photos:  photolala backup --verify FOLDER")
        }
        if let stopped = report.stopped { lines.append(stopped.detail) }
        if let certainty { lines.append(certainty) }
        return lines.joined(separator: "\n")
    }

    private var undamagedText: String {
        report.isSound || report.stopped != nil ? "no damage found." : "nothing verified."
    }

    /// The conclusion from a sample without damage: if one in n photos were damaged, 3n samples would miss it with
    /// probability e⁻³, 5 %. Does not apply to archived photos.
    private var certainty: String? {
        let share = report.checkedFiles / 3
        guard report.isSound, share >= 2, report.checkedFiles + report.archived.count < report.wantedFiles else {
            return nil
        }
        let photos = report.archived.isEmpty ? "the photos" : "the photos that are not archived"
        return "If 1 in \(share) of \(photos) were damaged, this would have found one with 95% probability."
    }
}
