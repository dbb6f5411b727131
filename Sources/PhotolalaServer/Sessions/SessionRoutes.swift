import Flows
import Hummingbird
import PhotolalaAPI

/// Routes to refresh and end sessions and to issue credentials.
struct SessionRoutes {
    func mount(on endpoints: Endpoints) {
        let services = endpoints.services
        let (exchange, proofs) = (endpoints.exchange, endpoints.proofs)
        endpoints.open(Route.refresh) { try await $2.refresh($0, $1) }
        endpoints.mount(Route.signOut) { request, context in
            try await exchange.respond(to: request, context, absent: SignOutRequest()) { body in
                if let refreshToken = body.refreshToken {
                    try await services.signOut(refreshToken: refreshToken, try proofs.proof(request))
                } else {
                    let (token, proof) = try proofs.accessToken(request)
                    try await services.signOut(accessToken: token, proof)
                }
                return Nothing()
            }
        }
        endpoints.signedIn(Route.signOutEverywhere, for: .protection) { _, caller, services in
            try await services.signOutEverywhere(caller)
            return Nothing()
        }
        endpoints.signedIn(Route.credentials) { try await $2.issueCredentials($1) }
    }
}
