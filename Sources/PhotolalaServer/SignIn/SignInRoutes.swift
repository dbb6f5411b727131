import Flows
import Hummingbird
import PhotolalaAPI

/// Proving who one is: challenge, Create Account, Sign In, continue, proving it again.
struct SignInRoutes {
    func mount(on endpoints: Endpoints) {
        let services = endpoints.services
        let exchange = endpoints.exchange
        endpoints.mount(Route.challenge) { request, context in
            let caller =
                request.headers[.authorization] == nil
                ? nil : try await services.authenticate(try Endpoints.accessToken(request))
            return try await exchange.respond(to: request, context) { (body: ChallengeRequest) in
                try services.makeChallenge(body, caller: caller)
            }
        }
        endpoints.open(Route.signUp, status: .created) { try await $1.signUp($0) }
        endpoints.open(Route.signIn) { try await $1.signIn($0) }
        endpoints.mount(Route.continueSignIn) { request, context in
            try await exchange.respond(to: request, context, status: { $0.isNewUser == true ? .created : .ok }) {
                try await services.continueSignIn($0)
            }
        }
        endpoints.signedIn(Route.reauthenticate) { try await $2.reauthenticate($0, caller: $1) }
    }
}
