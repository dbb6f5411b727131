import Foundation
import PhotolalaClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Replaces Apple's or Google's sign-in: on a server in `dev`, any user may sign in as any identity. A real app shows
/// the provider's button here and receives the same three values: an ID token, an authorization code and, from Apple, a
/// name.
struct DevelopmentProvider {
    private let server: ServerAddress

    init(_ server: ServerAddress) { self.server = server }

    private struct Person: Encodable {
        let subject: String
        let email: String
        let nonce: String
    }

    private struct Answer: Decodable {
        let idToken: String
        let authorizationCode: String
    }

    func proof(of name: String, for session: PhotolalaSession) async throws -> ProviderCredential {
        // The challenge becomes part of the token, so that a stolen token is useless.
        let challenge = try await session.challenge(for: .signin).challenge
        guard let url = URL(string: "\(server)/dev/providers/apple/token") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let person = Person(subject: "dev-\(name)", email: "\(name)@photolala.example", nonce: challenge)
        request.httpBody = try JSONEncoder().encode(person)
        let (data, _) = try await URLSession.shared.data(for: request)
        let answer = try JSONDecoder().decode(Answer.self, from: data)
        return ProviderCredential(
            provider: .apple, idToken: answer.idToken, challenge: challenge,
            authorizationCode: answer.authorizationCode
        )
    }
}
