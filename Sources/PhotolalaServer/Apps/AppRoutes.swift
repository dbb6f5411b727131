import Foundation
import HTTPTypes
import Hummingbird
import IdentityProviders
import NIOCore
import PhotolalaAPI
import Sessions
import UseCases

/// Sign-in for apps (OAuth 2.1, RFC 6749 section 3.2, RFC 8414): the token endpoint and the server metadata. The
/// authorization endpoint is a portal page.
struct AppRoutes {
    /// The device grant type (RFC 8628 section 3.4).
    fileprivate static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

    /// The endpoints that pages of other origins may call.
    static let paths = ["/token", "/revoke", "/device_authorization"]

    /// Returns whether a path resolves to one of `paths`. Like the router, ignores empty segments such as in `//token`.
    static func isPath(_ path: String) -> Bool {
        paths.contains("/" + path.split(separator: "/").joined(separator: "/"))
    }

    let publicURL: String

    func mount(on endpoints: Endpoints) {
        let publicURL = publicURL
        endpoints.mount(Route<EmptyBody, EmptyBody>(.get, "/.well-known/oauth-authorization-server")) { _, _ in
            try JSONExchange.encode(ServerMetadata(publicURL), status: .ok)
        }
        let (services, exchange, credentials) = (endpoints.services, endpoints.exchange, endpoints.credentials)
        func post<Answer>(
            _ route: Route<EmptyBody, Answer>,
            _ answer: @escaping @Sendable (FormParameters, PresentedDPoPProof?) async throws(ServiceError) -> Response
        ) {
            endpoints.mountOAuth(route) { request, context in
                if let refusal = context.limitRefusal {
                    let form = try? await Self.form(request, context, exchange)
                    throw OAuthError(refusal, isWaitingDevice: form?["grant_type"] == Self.deviceGrant)
                }
                let form = try await Self.form(request, context, exchange)
                do throws(ServiceError) {
                    return try await answer(form, try credentials.dpopProof(request))
                } catch {
                    throw OAuthError(error, isWaitingDevice: form["grant_type"] == Self.deviceGrant)
                }
            }
        }
        post(Route<EmptyBody, AppTokens>(.post, "/token")) { (form, proof) throws(ServiceError) in
            try await Self.tokenResponse(form, proof, services)
        }
        post(Route<EmptyBody, EmptyBody>(.post, "/revoke")) { (form, proof) throws(ServiceError) in
            guard let token = form["token"], let client = form["client_id"] else {
                throw .invalidRequest("token and client_id are required.")
            }
            try await services.sessions.revoke(token: token, client: client, proof)
            return Response(status: .ok, headers: [.cacheControl: "no-store"])
        }
        post(Route<EmptyBody, DeviceAuthorization>(.post, "/device_authorization")) { (form, _) throws(ServiceError) in
            let issued = try services.deviceAuthorization.createDeviceCode { form[$0] }
            return try Self.encoded(DeviceAuthorization(issued, publicURL))
        }
    }

    private static func form(
        _ request: Request, _ context: ServerContext, _ exchange: JSONExchange
    ) async throws -> FormParameters {
        let type = request.headers[.contentType].flatMap(MediaType.init)
        guard type?.isUTF8(MediaType.form) ?? false else {
            throw OAuthError(.badRequest, "Send the body as \(MediaType.form).")
        }
        let body = try await exchange.collect(request, context)
        guard let form = FormParameters(body.readableBytesView) else {
            throw OAuthError(.badRequest, "The form is malformed or repeats a parameter.")
        }
        return form
    }

    private static func tokenResponse(
        _ form: FormParameters, _ proof: PresentedDPoPProof?, _ services: ServiceGraph
    ) async throws(ServiceError) -> Response {
        let opened: (session: Session, user: UserID)
        switch form["grant_type"] {
        case "authorization_code":
            guard let code = form["code"], let client = form["client_id"], let redirectURI = form["redirect_uri"],
                let verifier = form["code_verifier"]
            else { throw .invalidRequest("code, client_id, redirect_uri and code_verifier are required.") }
            opened = try await services.appAuthorization.exchangeAppCode(
                code, client: client, redirectURI: redirectURI, verifier: verifier, proof)
        case "refresh_token":
            guard let token = form["refresh_token"] else { throw .invalidRequest("refresh_token is required.") }
            opened = try await services.sessions.refreshApp(token, client: form["client_id"], proof)
        case deviceGrant:
            guard let code = form["device_code"], let client = form["client_id"] else {
                throw .invalidRequest("device_code and client_id are required.")
            }
            opened = try await services.deviceAuthorization.exchangeDeviceCode(code, client: client, proof)
        default: throw .invalidRequest("")
        }
        return try encoded(AppTokens(opened.session, of: opened.user, at: services.now()))
    }

    private static func encoded(_ answer: some Encodable) throws(ServiceError) -> Response {
        guard let answer = try? JSONExchange.encode(answer, status: .ok) else {
            throw .internal("response encoding failed")
        }
        return answer
    }
}

extension DeviceAuthorization {
    fileprivate init(_ issued: IssuedDeviceCode, _ publicURL: String) {
        let code = issued.userCode
        let shown = "\(code.prefix(4))-\(code.dropFirst(4).prefix(4))-\(code.dropFirst(8))"
        self.init(
            deviceCode: issued.deviceCode, userCode: shown, verificationURI: "\(publicURL)/device",
            expiresIn: Int(DeviceCodes.lifetime), interval: Int(DevicePolls.initialInterval)
        )
    }
}

/// The authorization server metadata (RFC 8414 section 2).
private struct ServerMetadata: Encodable {
    let issuer: String
    let authorization_endpoint: String
    let token_endpoint: String
    let device_authorization_endpoint: String
    /// The revocation endpoint (RFC 7009).
    let revocation_endpoint: String
    let jwks_uri: String
    let response_types_supported = ["code"]
    let response_modes_supported = ["query"]
    let grant_types_supported = ["authorization_code", "refresh_token", AppRoutes.deviceGrant]
    let token_endpoint_auth_methods_supported = ["none"]
    let revocation_endpoint_auth_methods_supported = ["none"]
    let code_challenge_methods_supported = ["S256"]
    let dpop_signing_alg_values_supported = [DPoP.algorithm]
    /// Support for the `iss` response parameter (RFC 9207 section 3).
    let authorization_response_iss_parameter_supported = true

    init(_ publicURL: String) {
        issuer = publicURL
        authorization_endpoint = "\(publicURL)/authorize"
        token_endpoint = "\(publicURL)/token"
        device_authorization_endpoint = "\(publicURL)/device_authorization"
        revocation_endpoint = "\(publicURL)/revoke"
        jwks_uri = "\(publicURL)/.well-known/jwks.json"
    }
}

extension OAuthError {
    /// Maps a use case error to an OAuth error (RFC 6749 section 5.2, RFC 9449 section 5).
    /// - Parameter isWaitingDevice: Whether the request polls for a device grant. RFC 8628 section 3.5 requires the
    ///   device to stop polling on every code except `authorization_pending` and `slow_down`.
    init(_ error: ServiceError, isWaitingDevice: Bool) {
        let answer = ErrorResponse(error)
        switch error {
        case .invalidRequest(""):
            self.init(
                .badRequest, "Unsupported grant_type. See grant_types_supported in the metadata.",
                code: "unsupported_grant_type")
        case .invalidRequest(let what): self.init(.badRequest, what)
        case .invalidCode, .sessionEnded, .refreshTokenReused:
            self.init(
                .badRequest, "The code or token is used, expired, or issued to another client.", code: "invalid_grant",
                reason: answer.reason)
        case .identityTooNew, .accountDisabled:
            self.init(.badRequest, answer.detail, code: isWaitingDevice ? "access_denied" : "invalid_grant")
        case .unknownApp: self.init(.unauthorized, answer.detail, code: "invalid_client")
        case .authorizationPending: self.init(.badRequest, answer.detail, code: "authorization_pending")
        case .slowDown: self.init(.badRequest, answer.detail, code: "slow_down")
        case .deviceDenied: self.init(.badRequest, answer.detail, code: "access_denied")
        case .invalidDPoPProof: self.init(.badRequest, answer.detail, code: "invalid_dpop_proof")
        case .nonceRequired:
            self.init(
                .badRequest, "Create the DPoP proof with the nonce from the DPoP-Nonce header.", code: "use_dpop_nonce")
        default:
            let headers: HTTPFields = answer.retryAfter.map { [.retryAfter: String($0)] } ?? [:]
            self.init(
                answer.status, answer.detail, code: Self.code(of: error, answer, isWaitingDevice), headers: headers,
                reason: answer.reason)
        }
    }

    /// Returns the code for errors that RFC 6749 section 5.2 does not cover; `temporarily_unavailable` comes from
    /// section 4.1.2.1.
    private static func code(of error: ServiceError, _ answer: ErrorResponse, _ isWaitingDevice: Bool) -> String {
        switch error {
        case .rateLimited, .overloaded: isWaitingDevice ? "slow_down" : "temporarily_unavailable"
        default: answer.status.code >= 500 ? "server_error" : "invalid_request"
        }
    }
}
