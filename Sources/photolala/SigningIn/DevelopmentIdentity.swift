import PhotolalaAPI
import PhotolalaClient

/// Authenticates a test user with the development provider of a `dev` server, with the same result as a browser
/// sign-in.
struct DevelopmentIdentity {
    let session: PhotolalaSession
    let provider: ProviderName

    func credential(of user: String, for purpose: ChallengePurpose) async throws -> ProviderCredential {
        let challenge = try await session.challenge(for: purpose).challenge
        do {
            return try await DevelopmentSignIn(session: session, provider: provider, user: user)
                .authenticate(nonce: challenge)
        } catch {
            guard error.status == 404 else { throw error }
            throw CommandFailure(
                "\(session.server) has no test users for \(provider).",
                code: .unknownProvider,
                advice: [
                    "--dev-user requires a server started with --environment dev, and supports apple, google and facebook."
                ],
                status: .wrongUsage
            )
        }
    }
}
