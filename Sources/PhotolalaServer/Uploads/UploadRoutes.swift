import Flows
import PhotolalaAPI

/// Uploads whose room is reserved before they begin.
struct UploadRoutes {
    func mount(on endpoints: Endpoints) {
        endpoints.signedIn(Route.reserveUpload) { try await $2.reserveUpload($0, caller: $1) }
        endpoints.signedIn(Route.reserveUploads) { try await $2.reserveUploads($0, caller: $1) }
    }
}
