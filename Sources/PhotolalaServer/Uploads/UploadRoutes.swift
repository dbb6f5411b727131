import PhotolalaAPI
import UseCases

/// Routes for uploads that reserve quota first.
struct UploadRoutes {
    func mount(on endpoints: Endpoints) {
        endpoints.signedIn(Route.reserveUpload) { try await $2.uploads.reserveUpload($0, caller: $1) }
        endpoints.signedIn(Route.reserveUploads) { try await $2.uploads.reserveUploads($0, caller: $1) }
    }
}
