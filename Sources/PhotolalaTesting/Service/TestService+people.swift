import Crypto
import Flows
import Foundation
import IdentityProviders
import PhotolalaAPI

extension TestService {
    /// A device of a test person.
    package static func device(_ number: Int) -> DeviceDescription {
        let id = UUID(
            uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, UInt8(number >> 8 & 255), UInt8(number & 255)))
        return DeviceDescription(id: DeviceID(uuid: id), name: "Device \(number)", platform: "test")
    }

    /// A token in which a provider vouches for somebody.
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

    /// Who plays a provider.
    package func development(_ provider: ProviderName) -> DevelopmentProvider {
        switch provider {
        case .apple: apple
        case .facebook: facebook
        default: google
        }
    }

    /// A token that answers a challenge, with the challenge where the service wants one.
    package func proof(
        _ provider: ProviderName, _ subject: String, _ purpose: ChallengePurpose, email: String? = nil,
        device: DeviceID, caller: Caller? = nil
    ) throws -> ProofRequest {
        var challenge: String?
        if services.rules.requiresChallenge {
            let request = ChallengeRequest(purpose: purpose, deviceID: device)
            challenge = try services.makeChallenge(request, caller: caller).challenge
        }
        let token = try token(provider, subject, email: email, nonce: challenge)
        return ProofRequest(provider: provider, idToken: token, challenge: challenge)
    }

    /// Creates somebody's account.
    /// - Parameter key: what the session is to be bound to.
    package func signUp(
        _ provider: ProviderName, _ subject: String, name: String? = nil, email: String? = nil, device: Int = 1,
        key: P256.Signing.PrivateKey? = nil
    ) async throws -> SignedIn {
        let device = Self.device(device)
        let proof = try proof(provider, subject, .signup, email: email, device: device.id)
        return try await services.signUp(
            SignUpRequest(
                provider: provider, idToken: proof.idToken, challenge: proof.challenge, fullName: name, device: device
            ), try key.map { try self.proof(of: $0, "POST", Route.signUp.path) }
        )
    }

    /// Signs somebody in.
    /// - Parameter key: what the session is to be bound to.
    package func signIn(
        _ provider: ProviderName, _ subject: String, email: String? = nil, device: Int = 1,
        key: P256.Signing.PrivateKey? = nil
    ) async throws -> SignedIn {
        let device = Self.device(device)
        let proof = try proof(provider, subject, .signin, email: email, device: device.id)
        return try await services.signIn(
            SignInRequest(provider: provider, idToken: proof.idToken, challenge: proof.challenge, device: device),
            try key.map { try self.proof(of: $0, "POST", Route.signIn.path) }
        )
    }

    /// Whoever a session belongs to, checked as the server does.
    package func caller(_ session: Session) async throws -> Caller {
        try await services.authenticate(session.accessToken)
    }

    /// Whoever holds the key of a session, checked as the server does for a call.
    package func caller(
        _ session: Session, _ key: P256.Signing.PrivateKey, _ method: String = "GET", _ path: String = "/auth/devices"
    ) async throws -> Caller {
        let proof = try proof(of: key, method, path, accessToken: session.accessToken)
        return try await services.authenticate(session.accessToken, proof)
    }

    /// Links an identity in a session.
    package func link(
        _ provider: ProviderName, _ subject: String, in session: Session, email: String? = nil
    ) async throws -> LinkedProviders {
        let caller = try await caller(session)
        let proof = try proof(provider, subject, .link, email: email, device: session.deviceID, caller: caller)
        return try await services.link(
            LinkRequest(provider: provider, idToken: proof.idToken, challenge: proof.challenge), caller: caller
        )
    }

    /// Proves an identity of the session's account again.
    package func reauthenticate(
        _ provider: ProviderName, _ subject: String, in session: Session
    ) async throws -> Session {
        let caller = try await caller(session)
        let proof = try proof(provider, subject, .reauthenticate, device: session.deviceID, caller: caller)
        let answer = try await services.reauthenticate(
            ReauthenticationRequest(provider: provider, idToken: proof.idToken, challenge: proof.challenge),
            caller: caller
        )
        return session.renewed(by: answer.session)
    }

    /// The link of a provider in the session's account.
    package func linkID(_ provider: ProviderName, _ session: Session) async throws -> LinkID {
        let links = try await services.linkedAccounts(try await caller(session)).linkedProviders
        guard let link = links.first(where: { $0.provider == provider }) else { throw FlowError.notFound }
        return link.linkID
    }

    /// Ends a link in a session.
    package func unlink(_ provider: ProviderName, in session: Session) async throws {
        let id = try await linkID(provider, session)
        _ = try await services.unlink(UnlinkRequest(linkID: id), caller: try await caller(session))
    }

    /// Undoes the pending unlinking of a link in a session.
    package func undoUnlink(_ provider: ProviderName, in session: Session) async throws {
        let id = try await linkID(provider, session)
        _ = try await services.undoUnlink(id, caller: try await caller(session))
    }

    /// Who an identity opens, `nil` for a free one.
    package func owner(_ provider: ProviderName, _ subject: String, device: Int = 90) async throws -> UserID? {
        do {
            return try await signIn(provider, subject, device: device).user.serviceUserID
        } catch FlowError.noAccountFound {
            return nil
        }
    }
}
