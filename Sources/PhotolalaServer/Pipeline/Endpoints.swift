import HTTPListener
import HTTPTypes
import Hummingbird
import PhotolalaAPI
import Sessions
import UseCases

/// Mounts the routes of the API: reads the body, authenticates where required, encodes the response. A route names only
/// its types and its use case.
final class Endpoints {
    let router: Router<ServerContext>
    let services: ServiceGraph
    let exchange: JSONExchange
    let credentials: RequestCredentials
    /// All mounted routes.
    private(set) var routes: [MountedRoute] = []

    init(router: Router<ServerContext>, services: ServiceGraph, exchange: JSONExchange, credentials: RequestCredentials)
    {
        self.router = router
        self.services = services
        self.exchange = exchange
        self.credentials = credentials
    }

    /// Mounts a route without authentication. A DPoP proof is optional.
    func mountPublic<Body, Answer>(
        _ route: Route<Body, Answer>, status: @escaping @Sendable (Answer) -> HTTPResponse.Status = { _ in .ok },
        use flow: @escaping @Sendable (Body, PresentedDPoPProof?, ServiceGraph) async throws -> Answer
    ) {
        mount(route, for: .anyone) { [services, exchange, credentials] request, context in
            let proof = try credentials.dpopProof(request)
            return try await exchange.respond(to: request, context, status: status) {
                try await flow($0, proof, services)
            }
        }
    }

    /// Mounts a route that requires a signed-in user.
    func signedIn<Body, Answer>(
        _ route: Route<Body, Answer>, for purpose: CallPurpose = .general, endsWithClient: Bool = false,
        use flow: @escaping @Sendable (Body, Caller, ServiceGraph) async throws -> Answer
    ) {
        withCaller(route, for: purpose, endsWithClient: endsWithClient) { call, services in
            Reply(try await flow(call.body, call.caller, services))
        }
    }

    /// Mounts a route that requires a signed-in user and reads parameters or headers, or sets response headers.
    /// - Parameter endsWithClient: Whether the use case is cancelled when the client disconnects.
    func withCaller<Body, Answer>(
        _ route: Route<Body, Answer>, for purpose: CallPurpose = .general, endsWithClient: Bool = false,
        use flow: @escaping @Sendable (Call<Body>, ServiceGraph) async throws -> Reply<Answer>
    ) {
        mount(route, for: .device) { [services, exchange, credentials] request, context in
            let (token, proof) = try credentials.accessToken(request)
            // Authentication follows the body: a session that ends while a slow body arrives must not act.
            let bytes = try await exchange.collect(request, context)
            let caller = try await services.authenticator.authenticate(token, proof, for: purpose)
            let body = try exchange.decode(Body.self, bytes, of: request)
            let call = Call(
                body: body, caller: caller, parameters: context.parameters, query: request.uri.queryParameters,
                headers: request.headers
            )
            let reply =
                if endsWithClient {
                    try await context.whileClientWaits { try await flow(call, services) }
                } else {
                    try await flow(call, services)
                }
            var response = try JSONExchange.encode(reply.answer, status: .ok)
            for field in reply.headers { response.headers[field.name] = field.value }
            return response
        }
    }

    /// Mounts a route whose handler does its own decoding, authentication and encoding.
    func mount<Body, Answer>(
        _ route: Route<Body, Answer>, for caller: MountedRoute.Caller = .handler,
        use handler: @escaping @Sendable (Request, ServerContext) async throws -> Response
    ) {
        guard let method = record(route, for: caller) else { return }
        router.on(RouterPath(route.path), method: method) { try await handler($0, $1) }
    }

    /// Mounts an OAuth endpoint: a POST whose errors have the form of RFC 6749.
    func mountOAuth<Answer>(
        _ route: Route<EmptyBody, Answer>,
        use handler: @escaping @Sendable (Request, ServerContext) async throws -> Response
    ) {
        guard let method = record(route, for: .app) else { return }
        let oauth = router.group().add(middleware: OAuthErrorMapping())
        oauth.on(RouterPath(route.path), method: method) { try await handler($0, $1) }
        let allowed = method.rawValue
        for other in PathMethods.registered where other != method && other != .head {
            oauth.on(RouterPath(route.path), method: other) { _, _ -> Response in
                throw OAuthError(.methodNotAllowed, "Use \(allowed).", headers: [.allow: allowed])
            }
        }
    }

    private func record<Body, Answer>(
        _ route: Route<Body, Answer>, for caller: MountedRoute.Caller
    ) -> HTTPRequest.Method? {
        guard let method = HTTPRequest.Method(route.method.rawValue) else { return nil }
        routes.append(
            MountedRoute(method: method, path: route.path, caller: caller, body: Body.self, answer: Answer.self))
        return method
    }

    /// Answers methods that a mounted path does not support with 405 and the `Allow` list.
    func rejectOtherMethods() {
        for (path, routes) in Dictionary(grouping: routes.filter { $0.caller != .app }, by: \.path) {
            let methods = PathMethods(routes.map(\.method))
            for method in methods.others {
                router.on(RouterPath(path), method: method) { _, context in
                    var refusal = ErrorResponse(
                        .methodNotAllowed, .methodNotAllowed, "Method not allowed. The Allow header lists the methods."
                    ).response(requestID: context.requestID, sent: nil)
                    refusal.headers[.allow] = methods.allowed
                    return refusal
                }
            }
        }
    }
}

/// A route of the API as it is mounted.
struct MountedRoute: Sendable {
    /// Who may call a route.
    enum Caller: Sendable {
        /// Without authentication; a DPoP proof is optional.
        case anyone
        /// A signed-in device.
        case device
        /// An OAuth client.
        case app
        /// Decided by the handler.
        case handler
    }

    let method: HTTPRequest.Method
    let path: String
    let caller: Caller
    let body: any (Codable & Sendable).Type
    let answer: any (Codable & Sendable).Type
}

/// A signed-in user's request, decoded and authenticated.
struct Call<Body: Sendable>: Sendable {
    let body: Body
    let caller: Caller
    let parameters: Parameters
    let query: Parameters
    let headers: HTTPFields

    /// Returns an id from the path. A malformed id throws `notFound`.
    func id<ID: UUIDIdentifier>(_ name: String, as type: ID.Type = ID.self) throws(ServiceError) -> ID {
        guard let text = parameters.get(name), let id = ID(text) else { throw .notFound }
        return id
    }

    /// Returns a whole number from the query, or `nil` if the parameter is absent.
    func number(_ name: String) throws(InvalidRequest) -> Int? {
        guard let text = query[name[...]] else { return nil }
        guard let number = Int(text) else { throw InvalidRequest(explanation: "\(name) must be an integer.") }
        return number
    }
}

/// A response with additional header fields.
struct Reply<Answer: Sendable>: Sendable {
    let answer: Answer
    let headers: HTTPFields

    init(_ answer: Answer, headers: HTTPFields = [:]) {
        self.answer = answer
        self.headers = headers
    }
}
