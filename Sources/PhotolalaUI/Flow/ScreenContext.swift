import Foundation
import PhotolalaClient

/// What all screens need: the session, the providers' sign-ins and the clock. Create one for the app and pass it to the
/// models.
public struct ScreenContext: Sendable {
    let account: any AccountService
    private let signIns: [any ProviderSignIn]
    private let native: ProviderName?
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
        ScreenContext(account: account.account(of: user), signIns: signIns, native: native, now: now)
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
        let credential = try await self.credential(of: provider, for: .reauthenticate)
        do throws(PhotolalaError) {
            try await account.reauthenticate(credential)
        } catch {
            if error.code == .invalidToken { throw ScreenFailure.wrongIdentity }
            throw error
        }
    }

    /// Returns the providers of the app that can verify the account's owner.
    func verificationProviders() async throws(PhotolalaError) -> [ProviderName] {
        let links = try await account.linkedAccounts().filter { [.active, .removing].contains($0.state) }
        return providers.filter { provider in links.contains { $0.provider == provider } }
    }
}
