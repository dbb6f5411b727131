import Hummingbird
import PhotolalaAPI
import UseCases

/// Routes to refresh and end sessions and to issue credentials.
struct SessionRoutes {
    func mount(on endpoints: Endpoints) {
        let services = endpoints.services
        let (exchange, credentials) = (endpoints.exchange, endpoints.credentials)
        endpoints.mountPublic(Route.refresh) { try await $2.sessions.refresh($0, $1) }
        endpoints.mount(Route.signOut) { request, context in
            try await exchange.respond(to: request, context, absent: SignOutRequest()) { body in
                if let refreshToken = body.refreshToken {
                    try await services.sessions.signOut(refreshToken: refreshToken, try credentials.dpopProof(request))
                } else {
                    let (token, proof) = try credentials.accessToken(request)
                    try await services.sessions.signOut(accessToken: token, proof)
                }
                return EmptyBody()
            }
        }
        endpoints.signedIn(Route.signOutEverywhere, for: .protection) { _, caller, services in
            try await services.sessions.signOutEverywhere(caller)
            return EmptyBody()
        }
        endpoints.signedIn(Route.credentials) { try await $2.storageAccess.issueCredentials($1) }
    }
}
