import Hummingbird
import PhotolalaAPI
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
        endpoints.mountPublic(Route.signUp, status: { _ in .created }) { try await $2.signUp.signUp($0, $1) }
        endpoints.mountPublic(Route.signIn) { try await $2.signIn.signIn($0, $1) }
        endpoints.mountPublic(Route.continueSignIn, status: { $0.isNewUser == true ? .created : .ok }) {
            try await $2.signUp.continueSignIn($0, $1)
        }
        endpoints.signedIn(Route.reauthenticate, for: .protection) {
            try await $2.reauthentication.reauthenticate($0, caller: $1)
        }
    }
}
