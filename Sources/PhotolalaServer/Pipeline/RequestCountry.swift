import Hummingbird
import PhotolalaAPI
import Sessions
import Transport

/// Determines the country of the client's address, for the sign-ins that store it. The address itself is not stored.
struct RequestCountry: RouterMiddleware {
    typealias Context = ServerContext

    let client: ClientAddress
    let country: @Sendable (IPAddress) -> CountryCode?

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let found = client.resolve(request, context).flatMap(country)
        return try await RequestOrigin.$country.withValue(found) { try await next(request, context) }
    }
}
