import Foundation
import PhotoSync

/// What made an operation fail or stop, more precisely than the code of its error: why a folder cannot be used, or which disk
/// is full.
public struct FailureCause: Sendable, Codable, Equatable {
    /// The cause's stable name.
    public let code: FailureCode
    /// Values for a text, by the names that the documentation of the code states; `nil` if there are none.
    public let parameters: [String: String]?

    /// Creates a cause.
    public init(_ code: FailureCode, _ parameters: [String: String]? = nil) {
        (self.code, self.parameters) = (code, parameters)
    }

    init(_ failed: some DescribedFailure) { self.init(failed.failure) }

    init(_ reason: FailureReason) { self.init(reason.code, reason.parameters.isEmpty ? nil : reason.parameters) }
}

extension FailureCause {
    /// Creates the cause of an error of the platform.
    init(platform error: any Error) {
        let error = error as NSError
        self.init(
            .platformError,
            ["domain": error.domain, "number": "\(error.code)", "message": error.localizedDescription])
    }

    /// Creates the cause of a failed system call on a file or folder.
    init(errno: Int32, path: String) {
        let reason = FileError(errno: errno).failure
        self.init(reason.code, reason.parameters.merging(["path": path]) { own, _ in own })
    }
}
