import Flows
import Hummingbird
import PhotolalaAPI

/// Keeping and ending sessions, and what they hand out.
struct SessionRoutes {
    func mount(on endpoints: Endpoints) {
        let services = endpoints.services
        let exchange = endpoints.exchange
        endpoints.open(Route.refresh) { try await $1.refresh($0) }
        endpoints.mount(Route.signOut) { request, context in
            try await exchange.respond(to: request, context, absent: SignOutRequest()) { body in
                if let refreshToken = body.refreshToken {
                    try await services.signOut(refreshToken: refreshToken)
                } else {
                    try await services.signOut(accessToken: try Endpoints.accessToken(request))
                }
                return Nothing()
            }
        }
        endpoints.signedIn(Route.signOutEverywhere) { _, caller, services in
            try await services.signOutEverywhere(caller)
            return Nothing()
        }
        endpoints.signedIn(Route.credentials) { try await $2.issueCredentials($1) }
    }
}
