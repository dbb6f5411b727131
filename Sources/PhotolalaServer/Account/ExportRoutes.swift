import Hummingbird
import PhotolalaAPI
import PhotolalaPortal
import UseCases

/// Routes for exports of the account.
struct ExportRoutes {
    func mount(on endpoints: Endpoints) {
        endpoints.signedIn(Route.createExport) { try await $2.export.create($1) }
        endpoints.signedIn(Route.currentExport) { $2.export.current($1) }
        endpoints.signedIn(Route.exportFiles) { try await $2.export.files($1) }
        endpoints.signedIn(Route.signExport) { try await $2.export.sign($0, caller: $1) }
        endpoints.mount(Route.downloadExport) { [services = endpoints.services, credentials = endpoints.credentials] in
            let (token, proof) = try credentials.accessToken($0)
            let caller = try await services.authenticator.authenticate(token, proof)
            guard let id = $1.parameters.get("id").flatMap(ExportID.init) else { throw ServiceError.notFound }
            return try await services.export.open(id, caller: caller).response(to: $0)
        }
    }
}
