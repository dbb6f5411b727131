import HTTPTypes
import HummingbirdTesting
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Requests that people and attackers send over HTTP.
extension HTTPExchange {
    func requestSignUp(
        _ provider: ProviderName, _ token: String, challenge: String? = nil, device: Int
    ) async throws -> TestResponse {
        try await post(
            "/auth/signup",
            SignUpRequest(provider: provider, idToken: token, challenge: challenge, device: TestService.device(device)))
    }

    func requestSignIn(
        _ provider: ProviderName, _ token: String, challenge: String? = nil, device: Int
    ) async throws -> TestResponse {
        try await post(
            "/auth/signin",
            SignInRequest(provider: provider, idToken: token, challenge: challenge, device: TestService.device(device)))
    }

    func signUp(_ provider: ProviderName, _ token: String, device: Int) async throws -> SignedIn {
        let response = try await requestSignUp(provider, token, device: device)
        #expect(response.status == .created)
        return try self.answer(response)
    }

    func signIn(_ provider: ProviderName, _ token: String, device: Int) async throws -> SignedIn {
        let response = try await requestSignIn(provider, token, device: device)
        #expect(response.status == .ok)
        return try self.answer(response)
    }

    /// Returns the problem for a sign-in with an unknown identity.
    func problemOfSignIn(_ provider: ProviderName, _ token: String, device: Int) async throws -> Problem {
        let response = try await requestSignIn(provider, token, device: device)
        #expect(response.status == .notFound)
        return try problem(response)
    }

    func requestLink(_ provider: ProviderName, _ token: String, _ session: Session) async throws -> TestResponse {
        try await post(
            "/auth/link-account", LinkRequest(provider: provider, idToken: token), token: session.accessToken)
    }

    /// Returns the providers of a session's account.
    func providers(_ session: Session) async throws -> [ProviderName] {
        let response = try await send(.get, "/auth/linked-accounts", token: session.accessToken)
        #expect(response.status == .ok)
        return try self.answer(response, as: LinkedProviders.self).linkedProviders.map(\.provider)
    }

    /// Returns whether a session can read an account.
    func opens(_ session: Session, _ user: UserID) async throws -> Bool {
        try await send(.get, "/users/\(user)", token: session.accessToken).status == .ok
    }

    /// Returns whether neither token of a session works any longer.
    func isSessionEnded(_ session: Session) async throws -> Bool {
        let access = try await send(.get, "/auth/devices", token: session.accessToken)
        let credentials = try await send(.post, "/auth/credentials", token: session.accessToken)
        let refresh = try await post("/auth/refresh", RefreshRequest(refreshToken: session.refreshToken))
        return [access, credentials, refresh].allSatisfy { $0.status == .unauthorized }
    }
}
