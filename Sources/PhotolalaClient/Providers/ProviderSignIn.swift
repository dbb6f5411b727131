import PhotolalaAPI

/// A provider's sign-in in the app: `AppleSignIn`, or the SDK of Google or another provider.
///
/// ```swift
/// struct GoogleSignIn: ProviderSignIn {
///     let provider = ProviderName.google
///
///     func authenticate(nonce: String) async throws(PhotolalaError) -> ProviderCredential {
///         let result = …              // Google's SDK, with the nonce
///         return ProviderCredential(provider: .google, idToken: result.idToken, challenge: nonce)
///     }
/// }
/// try await session.signIn(with: GoogleSignIn())
/// ```
public protocol ProviderSignIn: Sendable {
    /// The provider.
    var provider: ProviderName { get }

    /// Authenticates the user, usually with a sheet of the system.
    /// - Parameter nonce: The value for the provider's `nonce`, which is also the credential's challenge.
    /// - Throws: `cancelled` if the user closed the sheet.
    func authenticate(nonce: String) async throws(PhotolalaError) -> ProviderCredential

    /// Returns whether the user still allows this app to sign in with the provider. Makes no call that the user sees.
    /// - Parameter subject: The provider's ID of the user.
    func access(of subject: String) async -> ProviderAccess
}

extension ProviderSignIn {
    /// The provider does not say it.
    public func access(of subject: String) async -> ProviderAccess { .unknown }
}

/// Whether a user lets an app sign in with a provider.
public enum ProviderAccess: Sendable {
    /// The user allows it.
    case allowed
    /// The user withdrew it, for example in the settings of the Apple Account.
    case withdrawn
    /// The provider does not say it, or cannot be asked now.
    case unknown
}

extension PhotolalaSession {
    /// Signs in to an existing account; never creates one.
    /// - Throws: The errors of ``signIn(_:)`` and of the provider's sign-in.
    @discardableResult
    public func signIn(with provider: any ProviderSignIn) async throws(PhotolalaError) -> User {
        try await signIn(try await credential(.signin, provider))
    }

    /// Creates an account; never signs in to an existing one.
    /// - Throws: The errors of ``signUp(_:fullName:)`` and of the provider's sign-in.
    @discardableResult
    public func signUp(with provider: any ProviderSignIn) async throws(PhotolalaError) -> User {
        try await signUp(.credential(try await credential(.signup, provider)))
    }

    /// Links another identity to the account.
    /// - Throws: The errors of ``link(_:)`` and of the provider's sign-in.
    @discardableResult
    public func link(with provider: any ProviderSignIn) async throws(PhotolalaError) -> [LinkedProvider] {
        let session = try ofSignedInAccount()
        return try await session.link(.credential(try await session.credential(.link, provider)))
    }

    /// Reauthenticates with an identity of this account.
    /// - Throws: The errors of ``reauthenticate(_:)`` and of the provider's sign-in.
    public func reauthenticate(with provider: any ProviderSignIn) async throws(PhotolalaError) {
        let session = try ofSignedInAccount()
        try await session.reauthenticate(try await session.credential(.reauthenticate, provider))
    }

    private func ofSignedInAccount() throws(PhotolalaError) -> PhotolalaSession {
        guard let user = try signedInUserID() else { throw .notSignedIn }
        return limited(to: user)
    }

    private func credential(
        _ purpose: ChallengePurpose, _ provider: any ProviderSignIn
    ) async throws(PhotolalaError) -> ProviderCredential {
        try await provider.authenticate(nonce: try await challenge(for: purpose).challenge)
    }

    /// Signs out if the identity that opened the session has been withdrawn at its provider. Call it when the app becomes
    /// active, and on Apple's notice of a revocation. Does nothing for a session of another provider, or if the provider
    /// cannot be asked.
    /// - Returns: Whether it signed out.
    @discardableResult
    public func signOutIfWithdrawn(at provider: any ProviderSignIn) async throws(PhotolalaError) -> Bool {
        guard let stored = try stored(), let identity = stored.identity, identity.provider == provider.provider,
            await provider.access(of: identity.subject) == .withdrawn
        else { return false }
        // Another sign-in may have replaced the session in the meantime.
        guard try self.stored()?.identity == identity else { return false }
        try await limited(to: stored.user).signOut()
        return true
    }
}
