import HTTPTypes
import Hummingbird
import PhotolalaAPI
import Secrets

/// Rejects requests without the secret of the pairing code, also those from this machine. In pairing mode the server is
/// reachable from the local network, and its development provider signs in any identity.
struct PairingCheck: RouterMiddleware {
    typealias Context = ServerContext

    /// The refusal of a request.
    struct Refused: Error {}

    let secret: String

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let sent = HTTPField.Name(PairingCode.headerName).flatMap { request.headers[$0] }
        guard let sent, ConstantTime.isEqual(sent, secret) else { throw Refused() }
        return try await next(request, context)
    }
}
