import PhotolalaAPI
import PhotolalaClient

/// Authenticates a test user with the development provider of a `dev` server, with the same result as a browser
/// sign-in.
struct DevelopmentIdentity {
    let session: PhotolalaSession
    let provider: ProviderName

    private struct TokenRequest: Codable, Sendable {
        let subject: String
        let email: String
        let nonce: String
    }

    private struct TokenResponse: Codable, Sendable {
        let idToken: String
        let authorizationCode: String
    }

    func credential(of user: String, for purpose: ChallengePurpose) async throws -> ProviderCredential {
        let challenge = try await session.challenge(for: purpose).challenge
        let route = Route<TokenRequest, TokenResponse>(.post, "/dev/providers/{provider}/token")
        let request = TokenRequest(
            subject: "dev-\(user)", email: "\(user.lowercased())@photolala.example", nonce: challenge
        )
        do {
            let response = try await session.connection.send(
                route, ["provider": provider.description], body: request
            ).value
            return ProviderCredential(
                provider: provider, idToken: response.idToken, challenge: challenge,
                authorizationCode: response.authorizationCode
            )
        } catch {
            guard error.status == 404 else { throw error }
            throw CommandFailure(
                "\(session.server) has no test users for \(provider).",
                code: .unknownProvider,
                advice: [
                    "--dev-user requires a server started with --environment dev, and supports apple, google and facebook."
                ],
                status: .signInRejected
            )
        }
    }
}
