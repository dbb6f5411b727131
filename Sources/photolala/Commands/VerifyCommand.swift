import ArgumentParser
import PhotolalaClient

struct VerifyCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Read stored photos back and check that they are whole.",
        discussion: """
            Without --all a sample that is drawn anew each time. What is read is downloaded, and not kept. Nothing is \
            changed; what is damaged is sent again by  photolala backup --verify FOLDER  on a device that has it.
            """
    )

    @OptionGroup var wanted: FilterOptions

    @Option(help: ArgumentHelp("How many photos, or how much of them: 500, 2%.", valueName: "n"))
    var sample: SampleOption?

    @Flag(help: "All of them.")
    var all = false

    @OptionGroup var transfer: TransferOptions

    @OptionGroup var common: CommonOptions

    var stallTimeout: Int { transfer.stallTimeout }

    var interruptedAdvice: String { "Nothing was changed. The next run draws another sample." }

    func validate() throws {
        if all, sample != nil { throw ValidationError("--sample or --all, not both.") }
    }

    func perform(_ context: CommandContext) async throws -> VerifyResult {
        let sample = all ? VerificationSample.all : sample?.sample ?? .photos(100)
        let verification = context.library.verify(sample, where: wanted.filter)
        return VerifyResult(
            report: try await ProgressDisplay.watch(verification, verb: "Checking", on: context.network))
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
        var lines = [
            "\(report.checkedFiles) of \(Counted.photos(report.wantedFiles)) checked "
                + "(\(ByteText.text(report.checkedBytes))): "
                + (report.failures.isEmpty ? soundText : "\(report.failures.count) NOT whole:")
        ]
        lines += FailureLines.lines(report.failures)
        if !report.archived.isEmpty {
            lines.append("\(Counted.photos(report.archived.count)) not looked at, for they are archived:")
            lines += FailureLines.lines(report.archived)
        }
        if report.damagedFiles > 0 {
            lines.append("On a device that still has what the store lost:  photolala backup --verify FOLDER")
        }
        if let stopped = report.stopped { lines.append(stopped.detail) }
        if let certainty { lines.append(certainty) }
        return lines.joined(separator: "\n")
    }

    private var soundText: String { report.isSound || report.stopped != nil ? "all whole." : "nothing is known." }

    /// The conclusion from a sample without damage: if one in n photos were damaged, 3n samples would miss it with
    /// probability e⁻³, 5 %. Does not apply to archived photos.
    private var certainty: String? {
        let share = report.checkedFiles / 3
        guard report.isSound, share >= 2, report.checkedFiles + report.archived.count < report.wantedFiles else {
            return nil
        }
        let them = report.archived.isEmpty ? "them" : "those that are not archived"
        return "Were 1 in \(share) of \(them) damaged, this would have found one with a certainty of 95 %."
    }
}
