import Flows
import HTTPTypes
import Hummingbird
import NIOCore
import PhotolalaAPI
import Sessions

/// What machines ask: the public keys of access tokens, and whether the service is well.
struct WellKnownRoutes {
    func mount(on endpoints: Endpoints) {
        let services = endpoints.services
        endpoints.mount(Route<Nothing, Nothing>(.get, "/.well-known/jwks.json")) { _, _ in
            Self.json(
                services.signingKeys.jsonWebKeySet(),
                cacheControl: "public, max-age=\(SigningKeys.publishedFor)"
            )
        }
        endpoints.mount(Route<Nothing, Nothing>(.get, "/health/live")) { _, _ in
            Self.json(#"{"status":"live"}"#)
        }
        endpoints.mount(Route<Nothing, Nothing>(.get, "/health/ready")) { _, _ in
            try await services.checkReadiness()
            return Self.json(#"{"status":"ready"}"#)
        }
    }

    private static func json(_ text: String, cacheControl: String = "no-store") -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: cacheControl],
            body: .init(byteBuffer: ByteBuffer(string: text))
        )
    }
}
