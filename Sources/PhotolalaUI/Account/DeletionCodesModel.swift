import Foundation
import Observation
import PhotolalaClient

/// The state of the screen of deletion codes.
public enum DeletionCodesState: Sendable, Equatable {
    /// The person can enter a code.
    case ready
    /// The server is being asked.
    case working
    /// The state of the deletion that the receipt code belongs to.
    case status(DeletionStatus)
    /// The deletion was cancelled: the person can sign in again.
    case cancelled
}

/// The codes of a deletion, entered without a sign-in: the undo code cancels the deletion, and the receipt code shows its
/// state and, once it is complete, its receipt.
@MainActor @Observable
public final class DeletionCodesModel {
    /// The current state.
    public private(set) var state = DeletionCodesState.ready
    /// Why the last call failed; `nil` after the next one begins.
    public private(set) var failure: ScreenFailure?
    /// The undo code, as the person types it.
    public var undoCode = ""
    /// The receipt code, as the person types it.
    public var receiptCode = ""

    @ObservationIgnored private let context: ScreenContext
    @ObservationIgnored private let task = SingleTask()

    /// Creates the model.
    public init(_ context: ScreenContext) { self.context = context }

    /// Cancels the deletion with the undo code.
    public func cancelDeletion() {
        send(undoCode, wrong: .noDeletionScheduled) { [context] code throws(PhotolalaError) in
            try await context.account.undoDeletion(code: code)
            return .cancelled
        }
    }

    /// Shows the state of the deletion with the receipt code.
    public func showStatus() {
        send(receiptCode, wrong: .notFound) { [context] code throws(PhotolalaError) in
            .status(try await context.account.deletionStatus(receiptCode: code))
        }
    }

    /// Requests the end of the running call. The state changes when it has ended, and shows a success that came first.
    public func cancel() { task.cancel() }

    /// Returns when no call is running.
    func wait() async { await task.wait() }

    /// - Parameter wrong: The server's error for a code that it does not know.
    private func send(
        _ typed: String, wrong: ErrorCode,
        _ call: @escaping @MainActor (String) async throws(PhotolalaError) -> DeletionCodesState
    ) {
        let code = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        task.start {
            (state, failure) = (.working, nil)
        } then: { [self] in
            do throws(PhotolalaError) {
                guard !code.isEmpty else { throw PhotolalaError(code: wrong, detail: "") }
                state = try await call(code)
            } catch {
                (state, failure) = (.ready, error.code == wrong ? .wrongCode : ScreenFailure(error).shown)
            }
        }
    }
}
