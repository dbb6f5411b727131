import PhotolalaAPI
import PhotolalaPortal
import UseCases

/// Routes for the account's shared links. What they open is a page of the portal.
struct SharedLinkRoutes {
    let publicURL: String

    func mount(on endpoints: Endpoints) {
        let base = "\(publicURL)/\(SharedPages.area)"
        endpoints.signedIn(Route.sharedLinks) { try await $2.sharing.list($1, below: base) }
        endpoints.signedIn(Route.createSharedLink) { try await $2.sharing.create($0, $1, below: base) }
        endpoints.withCaller(Route.changeSharedLink) { call, services in
            Reply(
                try await services.sharing.change(
                    call.parameters.get("id") ?? "", call.body, call.caller, below: base))
        }
        endpoints.withCaller(Route.deleteSharedLink) { call, services in
            try await services.sharing.delete(call.parameters.get("id") ?? "", call.caller)
            return Reply(EmptyBody())
        }
    }
}
