import Foundation
import PhotolalaAPI

/// The sign-in of the development provider, which plays Apple, Google and Facebook on a server in `dev`: anyone who reaches
/// the server signs in as any test user. Other servers have no such provider.
public struct DevelopmentSignIn: ProviderSignIn {
    /// The provider that is played.
    public let provider: ProviderName
    private let session: PhotolalaSession
    private let user: String

    /// Creates a sign-in.
    /// - Parameters:
    ///   - session: The session of the server.
    ///   - provider: `apple`, `google` or `facebook`; each has its own users.
    ///   - user: The name of the test user.
    public init(session: PhotolalaSession, provider: ProviderName = .apple, user: String) {
        (self.session, self.provider, self.user) = (session, provider, user)
    }

    private struct TokenRequest: Codable, Sendable {
        let subject: String
        let email: String
        let nonce: String
    }

    private struct TokenResponse: Codable, Sendable {
        let idToken: String
        let authorizationCode: String
    }

    /// Signs the test user in, without a sheet.
    /// - Throws: `notFound` if the server has no development provider.
    public func authenticate(nonce: String) async throws(PhotolalaError) -> ProviderCredential {
        let route = Route<TokenRequest, TokenResponse>(.post, "/dev/providers/{provider}/token")
        let request = TokenRequest(
            subject: "dev-\(user)", email: "\(user.lowercased())@photolala.example", nonce: nonce)
        let response = try await session.connection.send(route, ["provider": provider.description], body: request).value
        return ProviderCredential(
            provider: provider, idToken: response.idToken, challenge: nonce,
            authorizationCode: response.authorizationCode)
    }
}
