import Flows
import HTTPTypes
import Hummingbird
import PhotolalaAPI

/// Gives devices that hold a key the nonce for their next proof (RFC 9449 section 8.2): in every answer to a proof, and
/// with each challenge, which a sign-in follows.
struct NonceOffer: RouterMiddleware {
    typealias Context = ServerContext

    let services: Services

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard let proofs = HTTPField.Name(DPoP.proofField), let nonces = HTTPField.Name(DPoP.nonceField),
            request.headers[proofs] != nil || request.uri.path == Route.challenge.path
        else { return response }
        response.headers[nonces] = try services.sessions.proofs.nonce()
        return response
    }
}
