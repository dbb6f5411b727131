import PhotolalaAPI
import UseCases

/// Routes for apps that have no implementation of the catalog.
struct PhotoRoutes {
    func mount(on endpoints: Endpoints) {
        endpoints.signedIn(Route.addPhotos, endsWithClient: true) {
            try await $2.libraryUploads.addPhotos($0, caller: $1)
        }
        endpoints.withCaller(Route.listPhotos) { call, services in
            let name = call.query["list"]
            guard let list = name.map({ PhotoList(rawValue: String($0)) }) ?? .photos else {
                throw InvalidRequest(explanation: "list must be photos or trash.")
            }
            return Reply(
                try await services.library.page(
                    of: list, from: try call.number("from") ?? 0, limit: try call.number("limit") ?? 100,
                    version: call.query["version"].map { String($0) }, caller: call.caller))
        }
        endpoints.withCaller(Route.photo) { call, services in
            Reply(
                try await services.library.original(
                    md5: call.query["md5"].map { String($0) } ?? "", caller: call.caller))
        }
    }
}
