import PhotolalaClient

/// The state of a screen of the signed-in account.
public enum ScreenState<Action: Sendable & Equatable>: Sendable, Equatable {
    /// Nothing was loaded yet.
    case notLoaded
    /// The screen loads its content.
    case loading
    /// The content could not be loaded. Loading again retries.
    case unavailable(ScreenFailure)
    /// The person can choose an action.
    case ready
    /// The person has to confirm an action.
    case confirming(Action)
    /// An action is running.
    case working(Action)
    /// The action requires recent authentication: the person has to sign in again with one of these providers.
    case verifying(Action, with: [ProviderName])
    /// The screen has done what it is for.
    case finished
    /// The account is not signed in on this device any more: show the welcome screen.
    case signedOut
}

/// What follows an action that succeeded.
enum ScreenOutcome {
    case ready
    case finished
    case signedOut
}
