import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PhotolalaAPI
import PhotolalaPortal
import UseCases

/// Routes for the profile picture, whose bodies are image files.
struct PictureRoutes {
    private static let id = "serviceUserID"

    func mount(on endpoints: Endpoints) {
        let (services, credentials) = (endpoints.services, endpoints.credentials)
        let exchange = JSONExchange(limit: min(endpoints.exchange.limit, ProfilePictureLimit.bytes))
        endpoints.mount(Route.picture) { request, context in
            let (token, proof) = try credentials.accessToken(request)
            let caller = try await services.authenticator.authenticate(token, proof)
            let picture = try await services.account.picture(try Self.user(context.parameters), caller: caller)
            var headers = picture.headers
            headers[.cacheControl] = "no-store"
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: picture.bytes))
        }
        endpoints.mount(Route.replacePicture) { request, context in
            let (token, proof) = try credentials.accessToken(request)
            // Authentication follows the body: a session that ends while a slow body arrives must not act.
            let bytes = try await exchange.collect(request, context)
            let caller = try await services.authenticator.authenticate(token, proof)
            let condition = try UserRoutes.condition(request.headers)
            let version = try await services.account.replacePicture(
                try Self.user(context.parameters), with: bytes, if: condition, caller: caller)
            return Response(status: .noContent, headers: [.eTag: "\"\(version)\""])
        }
        endpoints.withCaller(Route.removePicture) { call, services in
            try await services.account.removePicture(
                try call.id(Self.id), if: try UserRoutes.condition(call.headers), caller: call.caller)
            return Reply(EmptyBody())
        }
    }

    private static func user(_ parameters: Parameters) throws(ServiceError) -> UserID {
        guard let id = parameters.get(id).flatMap({ UserID($0) }) else { throw .notFound }
        return id
    }
}
