import ArgumentParser
import PhotolalaAPI
import PhotolalaClient
import Transport

/// A failure with advice for the user.
struct CommandFailure: Error {
    private(set) var error: PhotolalaError
    /// Sentences and commands, in order.
    private(set) var advice: [String]
    let status: ExitStatus
    /// Whether the advice is for another device.
    var isAdviceForOthers = false
    /// Whether the reader of standard output has ended, as `head` does.
    var isBrokenPipe = false

    init(_ error: PhotolalaError, advice: [String] = [], status: ExitStatus? = nil) {
        self.error = error
        self.error.detail = Advice.detail(of: error)
        self.advice = advice
        self.status = status ?? ExitStatus(error.code)
    }

    /// Creates a failure that the command itself detected.
    init(_ detail: String, code: ErrorCode = .invalidRequest, advice: [String] = [], status: ExitStatus = .failed) {
        self.init(PhotolalaError(code: code, detail: detail), advice: advice, status: status)
    }

    /// Returns the failure with advice whose commands are for the profile that was given.
    func withProfile(_ common: CommonOptions) -> CommandFailure {
        guard !isAdviceForOthers, let option = common.profileAdvice(for: advice.joined(separator: "\n")) else {
            return self
        }
        var failure = self
        failure.advice.append(option)
        return failure
    }

    /// Performs the work of a command without a session, and reports its failure on standard error.
    static func reporting(asJSON: Bool = false, _ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch {
            let failure = wrapping(error)
            failure.report(asJSON: asJSON)
            throw ExitCode(failure.status.rawValue)
        }
    }

    /// Prints the failure: as JSON on standard output if that works, otherwise as text on standard error. Ends the process
    /// if the reader of standard output has ended.
    func report(asJSON: Bool) {
        if isBrokenPipe { StandardOutput.endByBrokenPipe() }
        if asJSON, (try? Terminal.writeJSON(FailureReport(self))) != nil { return }
        Terminal.writeNotice("error: " + Terminal.sanitized(error.detail))
        for line in advice { Terminal.writeNotice(line) }
        if let id = error.requestID { Terminal.writeNotice("Request ID: \(Terminal.sanitized(id))") }
    }

    /// Converts any error. Derives the advice from the code if the command did not supply any.
    static func wrapping(_ error: any Error) -> CommandFailure {
        switch error {
        case let failure as CommandFailure: failure
        case let error as PhotolalaError: CommandFailure(error, advice: Advice.general(for: error))
        case is CancellationError:
            CommandFailure(PhotolalaError(code: .cancelled, detail: "Cancelled."))
        default: CommandFailure("\(error)", code: .internalError)
        }
    }
}
