import HTTPTypes
import Hummingbird
import Localization
import PhotolalaAPI
import Sessions
import UseCases

/// Routes for authentication: challenge, Create Account, Sign In, continuing with a pending identity, and
/// re-authentication.
struct SignInRoutes {
    func mount(on endpoints: Endpoints) {
        let services = endpoints.services
        let (exchange, credentials) = (endpoints.exchange, endpoints.credentials)
        endpoints.mount(Route.challenge) { request, context in
            var caller: Caller?
            if request.headers[.authorization] != nil {
                let (token, proof) = try credentials.accessToken(request)
                caller = try await services.authenticator.authenticate(token, proof, for: .protection)
            }
            return try await exchange.respond(to: request, context) { (body: ChallengeRequest) in
                try services.identities.makeChallenge(body, caller: caller)
            }
        }
        mountSignUp(Route.signUp, status: { _ in .created }, on: endpoints) {
            try await services.signUp.signUp($0, $1, language: $2)
        }
        endpoints.mountPublic(Route.signIn) { try await $2.signIn.signIn($0, $1) }
        mountSignUp(Route.continueSignIn, status: { $0.isNewUser == true ? .created : .ok }, on: endpoints) {
            try await services.signUp.continueSignIn($0, $1, language: $2)
        }
        endpoints.signedIn(Route.reauthenticate, for: .protection) {
            try await $2.reauthentication.reauthenticate($0, caller: $1)
        }
    }

    /// Mounts a route that may create an account, whose e-mails are in the language of the request.
    private func mountSignUp(
        _ route: Route<SignUpRequest, SignedIn>, status: @escaping @Sendable (SignedIn) -> HTTPResponse.Status,
        on endpoints: Endpoints,
        use flow: @escaping @Sendable (SignUpRequest, PresentedDPoPProof?, String?) async throws -> SignedIn
    ) {
        endpoints.mount(route, for: .anyone) { [exchange = endpoints.exchange, credentials = endpoints.credentials] in
            let (request, context) = ($0, $1)
            let proof = try credentials.dpopProof(request)
            let language = TextCatalog.language(for: request.headers[.acceptLanguage])
            return try await exchange.respond(to: request, context, status: status) {
                try await flow($0, proof, language)
            }
        }
    }
}
