import Foundation
import HTTPTypes
import NIOCore
import PhotolalaAPI
import Transport

/// Sends the API calls to one server and reads its responses. It has no session and stores only the server's last DPoP
/// nonce.
package struct ServiceConnection: Sendable {
    package let server: ServerAddress
    let transport: any HTTPTransport
    let timeout: Duration
    private let nonces = NonceStore()

    /// The largest body of any call, in bytes: a profile, or two provider tokens.
    private static let bodyLimit = 128 << 10
    /// The largest answer, in bytes.
    private static let answerLimit = 4 << 20
    /// The largest answer with the account's files of an export, in bytes, and how much longer it may take.
    private static let exportFiles = (limit: 256 << 20, patience: 10)
    /// The number of attempts for a call that is repeated if there is no response.
    private static let tries = 3

    package init(server: ServerAddress, transport: any HTTPTransport, timeout: Duration = .seconds(30)) {
        self.server = server
        self.transport = transport
        self.timeout = timeout
    }

    /// Sends one call.
    /// - Parameters:
    ///   - parameters: The values for the `{name}` parts of the route's path; all others are sent in the query.
    ///   - provider: The provider of the ID token in the body, for the pending identity in an error.
    ///   - signer: Signs with the key that the access token is, or the next one will be, bound to.
    ///   - limit: A shorter timeout than the connection's.
    package func send<Body, Answer>(
        _ route: Route<Body, Answer>, _ parameters: [String: String] = [:], body: Body? = nil,
        accessToken: String? = nil, ifMatch: String? = nil, provider: ProviderName? = nil, signer: DPoPSigner? = nil,
        within limit: Duration? = nil
    ) async throws(PhotolalaError) -> ServiceResponse<Answer> {
        var request = try request(route, parameters, body: body, ifMatch: ifMatch)
        if let limit { request.timeout = min(limit, request.timeout) }
        var tries = 1
        while true {
            do throws(PhotolalaError) {
                return try await send(
                    proven: request, accessToken: accessToken, provider: provider, signer: signer,
                    isSafe: route.isSafe)
            } catch {
                guard error.code == .noResponse, route.isRepeated, tries < Self.tries else { throw error }
                tries += 1
            }
        }
    }

    /// Sends a form to the token endpoint (RFC 6749 section 3.2).
    package func tokens(
        for form: [(name: String, value: String)], signer: DPoPSigner?
    ) async throws(PhotolalaError) -> AppTokens {
        try await send(form, to: "/token", signer: signer)
    }

    /// Sends a form to an OAuth endpoint.
    package func send<Answer: Decodable & Sendable>(
        _ form: [(name: String, value: String)], to path: String, signer: DPoPSigner?
    ) async throws(PhotolalaError) -> Answer {
        let request = TransportRequest(
            method: .post, url: server.description + path,
            headers: [.accept: "application/json", .contentType: "application/x-www-form-urlencoded"],
            body: .bytes(ByteBuffer(string: form.encoded)), timeout: timeout
        )
        return try await send(proven: request, accessToken: nil, provider: nil, signer: signer, isOAuth: true).value
    }

    private func send<Answer: Decodable & Sendable>(
        proven unsigned: TransportRequest, accessToken: String?, provider: ProviderName?, signer: DPoPSigner?,
        isSafe: Bool = false, isOAuth: Bool = false
    ) async throws(PhotolalaError) -> ServiceResponse<Answer> {
        var request = unsigned
        let nonce = nonces.nonce
        try sign(&request, accessToken, signer, nonce)
        do throws(PhotolalaError) {
            return try await send(request, provider: provider, isSafe: isSafe, isOAuth: isOAuth)
        } catch {
            // The server has not performed the action, and has supplied a new nonce in its error response.
            guard error.code == .useDPoPNonce, let next = nonces.nonce, next != nonce else { throw error }
            try sign(&request, accessToken, signer, next)
            return try await send(request, provider: provider, isSafe: isSafe, isOAuth: isOAuth)
        }
    }

    private func send<Answer: Decodable & Sendable>(
        _ request: TransportRequest, provider: ProviderName?, isSafe: Bool, isOAuth: Bool
    ) async throws(PhotolalaError) -> ServiceResponse<Answer> {
        let response: TransportResponse
        let bytes: ByteBuffer
        do throws(TransportError) {
            response = try await transport.send(request)
            bytes = try await response.collect(limit: request.collectedLength ?? Self.answerLimit)
        } catch {
            throw failure(error, isSafe: isSafe, isOAuth: isOAuth)
        }
        nonces.record(response.headers)
        return try ResponseReader(server: server, provider: provider, isOAuth: isOAuth).read(
            Answer.self, status: response.status, headers: response.headers, bytes: Data(bytes.readableBytesView)
        )
    }

    private func request<Body, Answer>(
        _ route: Route<Body, Answer>, _ parameters: [String: String], body: Body?, ifMatch: String?
    ) throws(PhotolalaError) -> TransportRequest {
        let accepted = Answer.self == Data.self ? "image/*" : "application/json"
        var headers: HTTPFields = [.accept: "\(accepted), application/problem+json"]
        if let ifMatch { headers[.ifMatch] = ifMatch }
        var content = TransportRequest.Body.none
        if let image = body as? Data {
            headers[.contentType] = "application/octet-stream"
            content = .bytes(ByteBuffer(bytes: image))
        } else if let body, !(body is EmptyBody) {
            guard let bytes = try? WireJSON.encoder().encode(body) else {
                throw PhotolalaError(code: .invalidRequest, detail: "The request cannot be encoded as JSON.")
            }
            guard bytes.count <= Self.bodyLimit else {
                throw PhotolalaError(code: .bodyTooLarge, detail: "The request exceeds the server's size limit.")
            }
            headers[.contentType] = "application/json"
            content = .bytes(ByteBuffer(bytes: bytes))
        }
        let isExport = Answer.self == ExportFiles.self
        return TransportRequest(
            method: route.method.httpMethod, url: server.description + path(route.path, parameters),
            headers: headers, body: content, timeout: isExport ? timeout * Self.exportFiles.patience : timeout,
            collectedLength: isExport ? Self.exportFiles.limit : nil
        )
    }

    /// Adds the access token and the DPoP proof.
    private func sign(
        _ request: inout TransportRequest, _ accessToken: String?, _ signer: DPoPSigner?, _ nonce: String?
    ) throws(PhotolalaError) {
        if let accessToken {
            let scheme = signer == nil ? TokenType.bearer.rawValue : DPoP.scheme
            request.headers[.authorization] = "\(scheme) \(accessToken)"
        }
        guard let signer, let name = HTTPField.Name(DPoP.proofField) else { return }
        let url = String(request.url.prefix { $0 != "?" })
        request.headers[name] = try signer.dpopProof(
            request.method.rawValue, url, accessToken: accessToken, nonce: nonce
        )
    }

    private func path(_ template: String, _ parameters: [String: String]) -> String {
        var (path, query) = (template, [String]())
        for (name, text) in parameters.sorted(by: { $0.key < $1.key }) {
            let value = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-"])) ?? ""
            if path.contains("{\(name)}") {
                path = path.replacingOccurrences(of: "{\(name)}", with: value)
            } else {
                query.append("\(name)=\(value)")
            }
        }
        return query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    }

    /// - Parameters:
    ///   - isSafe: Whether the call may be repeated, so that a missing response leaves no uncertainty.
    ///   - isOAuth: Whether it is a step of a sign-in, which has no effect unless its response is received.
    func failure(_ error: TransportError, isSafe: Bool, isOAuth: Bool) -> PhotolalaError {
        let cancelled = Task.isCancelled ? PhotolalaError(code: .cancelled, detail: "Cancelled.") : nil
        if let cancelled, isSafe || isOAuth { return cancelled }
        let problem: String
        switch error {
        case .notSent:
            if let cancelled { return cancelled }
            return PhotolalaError(code: .serverUnreachable, detail: "Cannot connect to \(server).")
        case .serverNotTrusted(let reason):
            return PhotolalaError(
                code: .serverNotTrusted, detail: "The connection to \(server) is not trusted: \(reason).")
        case .tooLarge: return ResponseReader.notPhotolala(server, "response too large")
        case .connectionLost where cancelled != nil: problem = "Cancelled before the response of \(server)"
        case .connectionLost: problem = "Lost connection to \(server) before the response"
        case .noResponse(let time): problem = "No response from \(server) within \(Self.text(of: time))"
        }
        return isSafe
            ? PhotolalaError(code: .noResponse, detail: "\(problem).")
            : PhotolalaError(code: .outcomeUnknown, detail: "\(problem); the request may have been processed.")
    }

    /// Returns the duration in whole seconds, at least one.
    private static func text(of time: Duration) -> String { "\(max(1, time.components.seconds)) s" }
}

extension Route {
    /// Whether the call is safe to repeat. A challenge that is not used has no effect. A refresh is safe only while the
    /// server returns the same successor, which the session checks before it repeats one.
    fileprivate var isSafe: Bool {
        isRepeated
            || (method == .post
                && [
                    Route<RefreshRequest, SessionResponse>.refresh.path,
                    Route<ChallengeRequest, Challenge>.challenge.path,
                ]
                .contains(path))
    }

    /// Whether the connection repeats the call if there is no response.
    fileprivate var isRepeated: Bool {
        method == .get || (method == .post && path == Route<EmptyBody, StorageCredentials>.credentials.path)
    }
}

extension RouteMethod {
    fileprivate var httpMethod: HTTPRequest.Method {
        switch self {
        case .get: .get
        case .post: .post
        case .put: .put
        case .delete: .delete
        }
    }
}
