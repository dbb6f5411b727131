import Accounts
import DevelopmentIdentityProvider
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// A browser that follows an authorization request to a provider and back, without HTTP.
struct BrowserSignInFlow {
    let service: TestService
    let browser: Browser

    init(_ service: TestService) {
        self.service = service
        browser = Browser(service.components.sessions.randomness, name: "A browser")
    }

    private func provider(_ name: ProviderName) -> DevelopmentProvider {
        name == .apple ? service.apple : name == .google ? service.google : service.facebook
    }

    /// Begins an authorization request and answers it at the provider as a person.
    func respond(
        at name: ProviderName, for purpose: ChallengePurpose, as person: String, caller: Caller? = nil
    ) async throws -> ProviderAuthorizationResponse {
        let location = try await service.services.providerAuthorizations.begin(
            at: name, for: purpose, in: browser, caller: caller, returnTo: "account")
        return try respond(at: name, to: location, as: person)
    }

    /// Answers at the provider as a person.
    func respond(at name: ProviderName, to location: String, as person: String) throws -> ProviderAuthorizationResponse
    {
        let query = try #require(location.split(separator: "?", maxSplits: 1).last)
        let choice = person.isEmpty ? "cancel=1" : "person=\(person)"
        let decided = provider(name).decide(form: "\(query)&\(choice)".utf8)
        guard case .respond(let response) = decided else {
            Issue.record("the provider did not answer: \(decided)")
            throw ServiceError.notFound
        }
        let told = Dictionary(response.parameters.map { ($0.name, $0.value) }) { first, _ in first }
        return ProviderAuthorizationResponse(
            state: try #require(told["state"]), code: told["code"], error: told["error"], issuer: told["iss"],
            name: told["user"].map { _ in "Bob Example" }
        )
    }

    /// Finishes an authorization response in this browser, or in another one.
    func complete(
        _ response: ProviderAuthorizationResponse, at name: ProviderName, in other: Browser? = nil, caller: Caller? = nil,
        cookie: String? = nil
    ) async throws -> CompletedAuthorization {
        let browser = other ?? browser
        let round = try service.services.providerAuthorizations.request(of: response, at: name, in: browser)
        return try await service.services.browserSignIn.completeAuthorization(
            round, with: response, in: browser, caller: caller, cookie: cookie)
    }

    /// Performs the complete authorization: request, response and finish.
    func authorize(
        to name: ProviderName, for purpose: ChallengePurpose, as person: String, caller: Caller? = nil
    ) async throws -> CompletedAuthorization {
        try await complete(
            try await respond(at: name, for: purpose, as: person, caller: caller), at: name, caller: caller)
    }

    /// Signs up or in and returns the cookie and the caller.
    func open(
        _ name: ProviderName, _ purpose: ChallengePurpose, as person: String
    ) async throws -> (cookie: String, caller: Caller) {
        guard case .signedIn(let cookie, _) = try await authorize(to: name, for: purpose, as: person) else {
            throw ServiceError.notFound
        }
        return (cookie, try await service.services.authenticator.authenticate(browserCookie: cookie))
    }
}
