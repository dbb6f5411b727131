import HTTPTypes
import Hummingbird
import PhotolalaAPI
import UseCases

/// Adds the nonce for a device's next DPoP proof (RFC 9449 section 8.2) to every response to a request with a proof and
/// to every challenge, which precedes a sign-in.
struct DPoPNonceMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let services: ServiceGraph

    private static let proofField = HTTPField.Name(DPoP.proofField)
    private static let nonceField = HTTPField.Name(DPoP.nonceField)

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard let proofField = Self.proofField, let nonceField = Self.nonceField,
            request.headers[proofField] != nil || request.uri.path == Route.challenge.path
        else { return response }
        response.headers[nonceField] = try services.dpopProofs.nonce()
        return response
    }
}
