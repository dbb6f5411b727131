import Crypto
import DevelopmentIdentityProvider
import Foundation
import PhotolalaAPI
import UseCases

extension TestService {
    /// Returns a test device.
    package static func device(_ number: Int) -> DeviceDescription {
        let id = UUID(
            uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, UInt8(number >> 8 & 255), UInt8(number & 255)))
        return DeviceDescription(id: DeviceID(uuid: id), name: "Device \(number)", platform: "test")
    }

    /// Returns a provider's ID token for a person.
    package func token(
        _ provider: ProviderName, _ subject: String, email: String? = nil, nonce: String? = nil
    ) throws -> String {
        guard !hasPlainTokens else {
            return PlainTokenVerifier.token(provider, subject, email: email, nonce: nonce, at: clock.now)
        }
        return try development(provider).issueToken(
            DevelopmentTokenRequest(subject: subject, email: email, nonce: nonce)
        ).idToken
    }

    /// Returns the development provider that emulates a provider.
    package func development(_ provider: ProviderName) -> DevelopmentProvider {
        switch provider {
        case .apple: apple
        case .facebook: facebook
        default: google
        }
    }

    /// Returns an ID token with the challenge that it answers, if the service requires one.
    package func idTokenRequest(
        _ provider: ProviderName, _ subject: String, _ purpose: ChallengePurpose, email: String? = nil,
        device: DeviceID, caller: Caller? = nil
    ) throws -> IDTokenRequest {
        var challenge: String?
        if components.settings.policy.requiresChallenge {
            let request = ChallengeRequest(purpose: purpose, deviceID: device)
            challenge = try services.identities.makeChallenge(request, caller: caller).challenge
        }
        let token = try token(provider, subject, email: email, nonce: challenge)
        return IDTokenRequest(provider: provider, idToken: token, challenge: challenge)
    }

    /// Creates a person's account.
    /// - Parameter key: The device key that the session is bound to.
    package func signUp(
        _ provider: ProviderName, _ subject: String, name: String? = nil, email: String? = nil, device: Int = 1,
        key: P256.Signing.PrivateKey? = nil
    ) async throws -> SignedIn {
        let device = Self.device(device)
        let proof = try idTokenRequest(provider, subject, .signup, email: email, device: device.id)
        return try await services.signUp.signUp(
            SignUpRequest(
                provider: provider, idToken: proof.idToken, challenge: proof.challenge, fullName: name, device: device
            ), try key.map { try self.dpopProof(of: $0, "POST", Route.signUp.path) }
        )
    }

    /// Signs a person in.
    /// - Parameter key: The device key that the session is bound to.
    package func signIn(
        _ provider: ProviderName, _ subject: String, email: String? = nil, device: Int = 1,
        key: P256.Signing.PrivateKey? = nil
    ) async throws -> SignedIn {
        let device = Self.device(device)
        let proof = try idTokenRequest(provider, subject, .signin, email: email, device: device.id)
        return try await services.signIn.signIn(
            SignInRequest(provider: provider, idToken: proof.idToken, challenge: proof.challenge, device: device),
            try key.map { try self.dpopProof(of: $0, "POST", Route.signIn.path) }
        )
    }

    /// Returns the caller of a session, authenticated like a server request.
    package func caller(_ session: Session) async throws -> Caller {
        try await services.authenticator.authenticate(session.accessToken)
    }

    /// Returns the caller of a session with a device key, authenticated like a server request.
    package func caller(
        _ session: Session, _ key: P256.Signing.PrivateKey, _ method: String = "GET", _ path: String = "/auth/devices"
    ) async throws -> Caller {
        let proof = try dpopProof(of: key, method, path, accessToken: session.accessToken)
        return try await services.authenticator.authenticate(session.accessToken, proof)
    }

    /// Links an identity in a session.
    package func link(
        _ provider: ProviderName, _ subject: String, in session: Session, email: String? = nil
    ) async throws -> LinkedProviders {
        let caller = try await caller(session)
        let proof = try idTokenRequest(provider, subject, .link, email: email, device: session.deviceID, caller: caller)
        return try await services.linking.link(
            LinkRequest(provider: provider, idToken: proof.idToken, challenge: proof.challenge), caller: caller
        )
    }

    /// Re-authenticates with an identity of the session's account.
    package func reauthenticate(
        _ provider: ProviderName, _ subject: String, in session: Session
    ) async throws -> Session {
        let caller = try await caller(session)
        let proof = try idTokenRequest(provider, subject, .reauthenticate, device: session.deviceID, caller: caller)
        let answer = try await services.reauthentication.reauthenticate(
            ReauthenticationRequest(provider: provider, idToken: proof.idToken, challenge: proof.challenge),
            caller: caller
        )
        return session.renewed(by: answer.session)
    }

    /// Returns the link id of a provider in the session's account.
    package func linkID(_ provider: ProviderName, _ session: Session) async throws -> LinkID {
        let links = try await services.account.linkedAccounts(try await caller(session)).linkedProviders
        guard let link = links.first(where: { $0.provider == provider }) else { throw ServiceError.notFound }
        return link.linkID
    }

    /// Unlinks a provider in a session.
    package func unlink(_ provider: ProviderName, in session: Session) async throws {
        let id = try await linkID(provider, session)
        _ = try await services.linking.unlink(UnlinkRequest(linkID: id), caller: try await caller(session))
    }

    /// Undoes the pending unlinking of a provider in a session.
    package func undoUnlink(_ provider: ProviderName, in session: Session) async throws {
        let id = try await linkID(provider, session)
        _ = try await services.linking.undoUnlink(id, caller: try await caller(session))
    }

    /// Returns the account that an identity belongs to, or `nil` if it has none.
    package func owner(_ provider: ProviderName, _ subject: String, device: Int = 90) async throws -> UserID? {
        do {
            return try await signIn(provider, subject, device: device).user.serviceUserID
        } catch ServiceError.noAccountFound {
            return nil
        }
    }
}
