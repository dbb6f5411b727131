import CEmbeddedFiles
import HTTPTypes
import Hummingbird
import NIOCore
import PhotolalaAPI
import Sessions
import UseCases

/// Routes for machines: the public keys for access tokens and deletion receipts, the health checks, and the description of
/// the API.
struct WellKnownRoutes {
    /// The path of the public keys of deletion receipts.
    static let erasureKeys = "/.well-known/erasure-keys.json"

    func mount(on endpoints: Endpoints) {
        let services = endpoints.services
        endpoints.mount(Route<EmptyBody, EmptyBody>(.get, "/.well-known/jwks.json")) { _, _ in
            Self.json(
                services.signingKeys.jsonWebKeySet(),
                cacheControl: "public, max-age=\(SigningKeys.keySetMaxAge)"
            )
        }
        endpoints.mount(Route<EmptyBody, EmptyBody>(.get, Self.erasureKeys)) { _, _ in
            Self.json(try await services.deletion.receiptKeys(), cacheControl: "public, max-age=86400")
        }
        endpoints.mount(Route<EmptyBody, EmptyBody>(.get, "/health/live")) { _, _ in
            Self.json(#"{"status":"live"}"#)
        }
        endpoints.mount(Route<EmptyBody, EmptyBody>(.get, "/health/ready")) { _, _ in
            let report = try await services.readiness.check()
            // The log names the overdue job. An instance with an overdue job still serves.
            return Self.json(Self.text(report, isMaintenanceOverdue: !services.jobMonitor.overdue().isEmpty))
        }
        let document = ByteBuffer(bytes: Self.apiDocument)
        endpoints.mount(Route<EmptyBody, EmptyBody>(.get, "/openapi.yaml")) { _, _ in
            // RFC 9512 section 2.1.
            Response(
                status: .ok, headers: [.contentType: "application/yaml", .cacheControl: "public, max-age=300"],
                body: .init(byteBuffer: document))
        }
    }

    /// The content of `openapi.yaml`.
    static var apiDocument: UnsafeBufferPointer<UInt8> {
        let file = photolala_openapi()
        return UnsafeBufferPointer(start: file.bytes, count: file.size)
    }

    /// Returns the readiness report for jobs and storage. Storage members are present only if there is a problem.
    static func text(_ report: ReadyReport, isMaintenanceOverdue: Bool) -> String {
        let maintenance = isMaintenanceOverdue ? "overdue" : "on_time"
        let uploads = report.refusesUploads ? #","uploads":"refused","reason":"disk_space""# : ""
        let damage = report.isDamaged ? #","storage":"damaged""# : ""
        return #"{"status":"ready","maintenance":"\#(maintenance)"\#(uploads)\#(damage)}"#
    }

    private static func json(_ text: String, cacheControl: String = "no-store") -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: cacheControl],
            body: .init(byteBuffer: ByteBuffer(string: text))
        )
    }
}
