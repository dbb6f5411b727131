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
        let issuer = provider == .apple ? apple : google
        return try issuer.issueToken(DevelopmentTokenRequest(subject: subject, email: email, nonce: nonce)).idToken
    }

    /// Creates somebody's account.
    package func signUp(
        _ provider: ProviderName, _ subject: String, name: String? = nil, email: String? = nil, device: Int = 1
    ) async throws -> SignedIn {
        try await services.signUp(
            SignUpRequest(
                provider: provider, idToken: try token(provider, subject, email: email), fullName: name,
                device: Self.device(device)
            )
        )
    }

    /// Signs somebody in.
    package func signIn(
        _ provider: ProviderName, _ subject: String, email: String? = nil, device: Int = 1
    ) async throws -> SignedIn {
        try await services.signIn(
            SignInRequest(
                provider: provider, idToken: try token(provider, subject, email: email), device: Self.device(device)
            )
        )
    }

    /// Whoever a session belongs to, checked as the server does.
    package func caller(_ session: Session) async throws -> Caller {
        try await services.authenticate(session.accessToken)
    }

    /// Links an identity in a session.
    package func link(
        _ provider: ProviderName, _ subject: String, in session: Session, email: String? = nil
    ) async throws -> LinkedProviders {
        try await services.link(
            LinkRequest(provider: provider, idToken: try token(provider, subject, email: email)),
            caller: try await caller(session)
        )
    }
}
