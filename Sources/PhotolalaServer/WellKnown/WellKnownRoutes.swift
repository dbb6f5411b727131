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
            Self.json(Self.text(try await services.checkReadiness()))
        }
    }

    /// What an instance that is ready says of its store: members are there only where they say something.
    static func text(_ report: ReadyReport) -> String {
        let uploads = report.refusesUploads ? #","uploads":"refused","reason":"disk_space""# : ""
        let damage = report.isDamaged ? #","storage":"damaged""# : ""
        return #"{"status":"ready"\#(uploads)\#(damage)}"#
    }

    private static func json(_ text: String, cacheControl: String = "no-store") -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: cacheControl],
            body: .init(byteBuffer: ByteBuffer(string: text))
        )
    }
}
