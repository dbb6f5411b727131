import Foundation
import PhotolalaClient

/// What all screens need: the session, the providers' sign-ins and the clock. Create one for the app and pass it to the
/// models.
public struct ScreenContext: Sendable {
    private(set) var account: any AccountService
    private let signIns: [any ProviderSignIn]
    private let native: ProviderName?
    /// For persons without a provider of the app.
    private var browser: (window: any AuthorizationBrowser, client: BrowserClient)?
    /// Removes what the app keeps besides the SDK's data.
    private(set) var removal: (@Sendable () async throws(PhotolalaError) -> Void)?
    let now: @Sendable () -> Date

    /// - Parameter native: The provider of the platform, which is shown first.
    init(
        account: any AccountService, signIns: [any ProviderSignIn], native: ProviderName?,
        now: @escaping @Sendable () -> Date
    ) {
        self.account = account
        self.signIns = signIns
        self.native = native
        self.now = now
    }

    /// Returns the context of the screens of one account.
    func limited(to user: UserID) -> ScreenContext {
        var limited = self
        limited.account = account.account(of: user)
        return limited
    }

    /// Returns a context that also removes what the app itself keeps of an account, when a person removes the app's data
    /// from this device: the photos of a `PhotoCache`, uploads in the background, files of the app.
    /// - Parameter removal: Called before the SDK's data is removed, and again after a failure.
    public func removing(
        _ removal: @escaping @Sendable () async throws(PhotolalaError) -> Void
    ) -> ScreenContext {
        var context = self
        context.removal = removal
        return context
    }

    /// Returns a context in which a person whose account has none of the app's providers verifies on the server's pages.
    /// Without it, such a person cannot delete the account, link or unlink an identity, or remove a device.
    /// - Parameters:
    ///   - window: The system's sign-in window, for example `SystemSignInWindow`.
    ///   - client: The app at the server.
    public func verifying(in window: any AuthorizationBrowser, as client: BrowserClient) -> ScreenContext {
        var context = self
        context.browser = (window, client)
        return context
    }

    /// The providers in display order: the platform's own first.
    var providers: [ProviderName] {
        let all = signIns.map(\.provider)
        return all.filter { $0 == native } + all.filter { $0 != native }
    }

    /// Shows a provider's sign-in with a new challenge.
    /// - Throws: `PhotolalaError`, `ScreenFailure`.
    func credential(
        of provider: ProviderName, for purpose: ChallengePurpose
    ) async throws -> ProviderCredential {
        guard let signIn = signIns.first(where: { $0.provider == provider }) else {
            throw ScreenFailure.provider(provider, "")
        }
        let challenge = try await account.challenge(for: purpose).challenge
        var credential: ProviderCredential
        do throws(PhotolalaError) {
            credential = try await signIn.authenticate(nonce: challenge)
        } catch {
            throw error.code == .providerSignInFailed ? ScreenFailure.provider(provider, error.detail) : .init(error)
        }
        // A cancelled screen must not sign in or create an account afterwards.
        try Task.checkCancellation()
        credential.challenge = challenge
        return credential
    }

    /// Reauthenticates the session with an identity of the account.
    /// - Throws: `PhotolalaError`, `ScreenFailure`.
    func verify(with provider: ProviderName) async throws {
        if let browser, !providers.contains(provider) {
            try await verify { account throws(PhotolalaError) in
                try await account.reauthenticate(in: browser.window, as: browser.client, provider: provider)
            }
        } else {
            let credential = try await self.credential(of: provider, for: .reauthenticate)
            try await verify { account throws(PhotolalaError) in try await account.reauthenticate(credential) }
        }
    }

    private func verify(
        _ reauthenticate: (any AccountService) async throws(PhotolalaError) -> Void
    ) async throws {
        do throws(PhotolalaError) {
            try await reauthenticate(account)
        } catch {
            if error.code == .invalidToken { throw ScreenFailure.wrongIdentity }
            throw error
        }
    }

    /// Returns the providers that can verify the account's owner: those of the app; if there is none, those in the
    /// browser.
    func verificationProviders() async throws(PhotolalaError) -> [ProviderName] {
        let links = try await account.linkedAccounts().filter { [.active, .removing].contains($0.state) }
        let native = providers.filter { provider in links.contains { $0.provider == provider } }
        guard native.isEmpty, browser != nil else { return native }
        return links.map(\.provider).reduce(into: []) { all, provider in
            if !all.contains(provider) { all.append(provider) }
        }
    }
}
