import PhotolalaClient

/// The state of the welcome screen.
public enum WelcomeState: Sendable, Equatable {
    /// Nothing was read yet.
    case notLoaded
    /// The device's stored state is being read.
    case loading
    /// The device's stored state could not be read. Loading again retries.
    case unavailable(ScreenFailure)
    /// The person chooses between signing in and creating an account.
    case welcome
    /// The person chooses a provider.
    case choosing(WelcomePurpose)
    /// The provider or the server is being asked.
    case authenticating(ProviderName, WelcomePurpose)
    /// The sign-in found no account: the person tries another provider first, or creates an account.
    case noAccount(NoAccountHelp)
    /// The identity already has an account, so none was created: the person signs in.
    case accountExists(ProviderName)
    /// Signed in; an identity that was tried before can be linked.
    case linkOffer(ProviderName, WelcomeResult)
    /// The identity is being linked.
    case linking(ProviderName, WelcomeResult)
    /// Signed in: show the app.
    case signedIn(WelcomeResult)
}

/// What the person came to do. Signing in never creates an account, and creating one never signs in to another.
public enum WelcomePurpose: Sendable, Hashable, CaseIterable {
    /// Open an existing account.
    case signIn
    /// Create an account.
    case createAccount
}

/// The help for a person who may have used another provider before.
public struct NoAccountHelp: Sendable, Equatable {
    /// The provider of the last attempt, with which an account can be created.
    public let tried: ProviderName
    /// The providers that the server disclosed to the owner of the verified e-mail address.
    public let hints: [ProviderName]
    /// The providers to try: those of the hints first, then those that were not tried, then the others.
    public let others: [ProviderName]
}

/// A completed sign-in.
public struct WelcomeResult: Sendable, Equatable {
    /// The signed-in account.
    public let user: UserID
    /// Whether the account was created now.
    public let isNew: Bool
    /// The providers whose pending unlinking the sign-in cancelled.
    public let keptProviders: [ProviderName]
    /// The providers that were linked after the sign-in.
    public var linkedProviders: [ProviderName] = []
}
