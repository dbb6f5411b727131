import DevelopmentIdentityProvider
import Foundation
import HTTPListener
import HTTPTypes
import Hummingbird
import IdentityProviders
import NIOCore
import PhotolalaAPI

/// Mounts the development provider's endpoints below `/dev/providers/{name}`.
struct DevelopmentRoutes {
    let providers: [DevelopmentProvider]
    let exchange: JSONExchange

    func mount(on router: Router<ServerContext>) {
        for provider in providers {
            let group = router.group("/dev/providers/\(provider.name)")
            group.get("\(DevelopmentProvider.Path.keys)") { _, _ in Self.json(provider.keySetDocument()) }
            group.get("\(DevelopmentProvider.Path.discovery)") { _, _ in
                Self.json(try provider.discoveryDocument())
            }
            group.post("\(DevelopmentProvider.Path.issue)") { request, context in
                try await issue(provider, request, context)
            }
            group.post("\(DevelopmentProvider.Path.event)") { request, context in
                try await event(provider, request, context)
            }
            mountOAuth(provider, on: group)
            group.get("\(DevelopmentProvider.Path.graph)/debug_token") { request, _ in
                Self.json(provider.debugToken(query: Self.query(request)))
            }
            group.get("\(DevelopmentProvider.Path.graph)/me") { request, _ in
                Self.json(provider.me(query: Self.query(request)))
            }
        }
    }

    private func mountOAuth(_ provider: DevelopmentProvider, on group: RouterGroup<ServerContext>) {
        let oauth = group.group().add(middleware: OAuthErrorMapping())
        post(DevelopmentProvider.Path.oauthToken, on: oauth) { provider.token(form: $0) }
        post(DevelopmentProvider.Path.oauthRevoke, on: oauth) { provider.revoke(form: $0) }
        if provider.settings.userMigrationURL != nil {
            post(DevelopmentProvider.Path.userMigration, on: oauth) { provider.userMigration(form: $0) }
        }
        for method in PathMethods.registered where method != .head {
            oauth.on("oauth/**", method: method) { _, _ -> Response in
                throw OAuthError(.notFound, "Not found.")
            }
        }
    }

    /// Mounts an OAuth endpoint that accepts only POST with a form body.
    private func post(
        _ path: String, on oauth: RouterGroup<ServerContext>,
        _ answer: @escaping @Sendable (ByteBufferView) -> DevelopmentOAuthResponse
    ) {
        oauth.post(RouterPath(path)) { request, context in
            let type = request.headers[.contentType].flatMap(MediaType.init)
            guard type?.isUTF8(MediaType.form) ?? false else {
                throw OAuthError(.badRequest, "Send the body as \(MediaType.form).")
            }
            let answer = answer(try await exchange.collect(request, context).readableBytesView)
            guard answer.status < 500 else {
                throw OAuthError(.internalServerError, "Token creation failed.", code: "server_error")
            }
            return Self.json(answer)
        }
        for method in PathMethods.registered where method != .post && method != .head {
            oauth.on(RouterPath(path), method: method) { _, _ -> Response in
                throw OAuthError(.methodNotAllowed, "Use POST.", headers: [.allow: "POST"])
            }
        }
    }

    private func issue(
        _ provider: DevelopmentProvider, _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let body = try await exchange.collect(request, context)
        guard let wanted = try? JSONDecoder().decode(DevelopmentTokenRequest.self, from: Data(body.readableBytesView))
        else { throw InvalidRequest(explanation: "Send JSON with at least a subject.") }
        do {
            return Self.json(try JSONEncoder().encode(try provider.issueToken(wanted)))
        } catch DevelopmentProviderError.invalidRequest(let what) {
            throw InvalidRequest(explanation: "Invalid value: \(what).")
        }
    }

    private func event(
        _ provider: DevelopmentProvider, _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let body = try await exchange.collect(request, context)
        guard let wanted = try? JSONDecoder().decode(DevelopmentEventRequest.self, from: Data(body.readableBytesView))
        else { throw InvalidRequest(explanation: "Send JSON with type and subject.") }
        return Self.json(try provider.event(wanted))
    }

    private static func query(_ request: Request) -> String.UTF8View { (request.uri.query ?? "").utf8 }

    private static func json(_ answer: DevelopmentOAuthResponse) -> Response {
        json(answer.body, status: .init(code: answer.status))
    }

    private static func json(_ body: Data, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: MediaType.json, .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: body))
        )
    }
}
