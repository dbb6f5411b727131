import PhotolalaAPI
import PhotolalaClient

/// A failure with what the person can do about it.
struct CommandFailure: Error {
    let error: PhotolalaError
    /// Sentences and commands to type, in order.
    let advice: [String]
    let status: ExitStatus

    init(_ error: PhotolalaError, advice: [String] = [], status: ExitStatus? = nil) {
        self.error = error
        self.advice = advice
        self.status = status ?? ExitStatus(error.code)
    }

    /// Something that the command itself found wrong.
    init(_ detail: String, code: ErrorCode = .invalidRequest, advice: [String] = [], status: ExitStatus = .failed) {
        self.init(PhotolalaError(code: code, detail: detail), advice: advice, status: status)
    }

    /// Any error in these words. What to do follows from the code where the command did not say.
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
