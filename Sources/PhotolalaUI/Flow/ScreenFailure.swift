import Foundation
import PhotolalaClient

/// Why the last action of a screen failed. ``ScreenTexts/message(for:)`` returns the text.
public enum ScreenFailure: Error, Sendable, Equatable {
    /// An error of the SDK.
    case service(PhotolalaError)
    /// The provider's sign-in failed, with the provider's text.
    case provider(ProviderName, String)
    /// The app store failed, with its text.
    case planStore(String)
    /// The person verified another identity than one of the account.
    case wrongIdentity
    /// The typed text does not confirm the deletion.
    case wrongConfirmation
    /// The typed code is incomplete, wrong or expired.
    case wrongCode
    /// The person or the app cancelled the action. Models do not show it.
    case cancelled

    init(_ error: any Error) {
        self =
            switch error {
            case let failure as ScreenFailure: failure
            case let error as PhotolalaError: error.code == .cancelled ? .cancelled : .service(error)
            case is CancellationError: .cancelled
            default: .planStore((error as? any LocalizedError)?.errorDescription ?? "\(error)")
            }
    }

    static let notSignedIn = ScreenFailure.service(PhotolalaError(code: .notSignedIn, detail: ""))

    /// Whether the account is not signed in on this device any more.
    var endsSession: Bool {
        guard case .service(let error) = self else { return false }
        return error.code == .sessionEnded || error.code == .notSignedIn
    }

    func isService(_ code: ErrorCode) -> Bool {
        guard case .service(let error) = self else { return false }
        return error.code == code
    }

    /// Returns what a screen shows for the failure of the current task. A cancelled task shows only that the server may
    /// have performed the action.
    var shown: ScreenFailure? {
        if self == .cancelled || (Task.isCancelled && !isService(.outcomeUnknown)) { nil } else { self }
    }
}
