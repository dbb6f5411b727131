import Foundation
import HTTPTypes
import NIOCore
import PhotolalaAPI
import Transport

/// Sends the calls of the HTTP contract to one server and reads its answers. Knows no session.
package struct ServiceConnection: Sendable {
    package let server: ServerAddress
    private let transport: any HTTPTransport
    private let timeout: Duration

    /// The largest body that any call takes: a profile, or two provider tokens.
    private static let bodyLimit = 128 << 10

    package init(server: ServerAddress, transport: any HTTPTransport, timeout: Duration = .seconds(30)) {
        self.server = server
        self.transport = transport
        self.timeout = timeout
    }

    /// Sends one call.
    /// - Parameter parameters: the values for the `{name}` parts of the route's path; others go into the query.
    /// - Parameter provider: whose proof travels, to name it in the pending identity that may come back.
    package func send<Body, Answer>(
        _ route: Route<Body, Answer>, _ parameters: [String: String] = [:], body: Body? = nil,
        accessToken: String? = nil, ifMatch: String? = nil, provider: ProviderName? = nil
    ) async throws(PhotolalaError) -> ServiceAnswer<Answer> {
        let request = try request(
            route, parameters, body: body, accessToken: accessToken, ifMatch: ifMatch
        )
        let answer: TransportResponse
        let bytes: ByteBuffer
        do throws(TransportError) {
            answer = try await transport.send(request)
            bytes = try await answer.collect(limit: 4 << 20)
        } catch {
            throw failure(error)
        }
        return try AnswerReader(server: server, provider: provider).read(
            Answer.self, status: answer.status, headers: answer.headers, bytes: Data(bytes.readableBytesView)
        )
    }

    private func request<Body, Answer>(
        _ route: Route<Body, Answer>, _ parameters: [String: String], body: Body?, accessToken: String?,
        ifMatch: String?
    ) throws(PhotolalaError) -> TransportRequest {
        var headers: HTTPFields = [.accept: "application/json, application/problem+json"]
        if let accessToken { headers[.authorization] = "Bearer \(accessToken)" }
        if let ifMatch { headers[.ifMatch] = ifMatch }
        var content = TransportRequest.Body.none
        if let body, !(body is Nothing) {
            guard let bytes = try? WireJSON.encoder().encode(body) else {
                throw PhotolalaError(code: .invalidRequest, detail: "This cannot be said in JSON.")
            }
            guard bytes.count <= Self.bodyLimit else {
                throw PhotolalaError(code: .bodyTooLarge, detail: "This is more than the server takes in one call.")
            }
            headers[.contentType] = "application/json"
            content = .bytes(ByteBuffer(bytes: bytes))
        }
        return TransportRequest(
            method: route.method.httpMethod, url: server.description + path(route.path, parameters),
            headers: headers, body: content, timeout: timeout
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

    private func failure(_ error: TransportError) -> PhotolalaError {
        if Task.isCancelled { return PhotolalaError(code: .cancelled, detail: "Cancelled.") }
        return switch error {
        case .notSent:
            PhotolalaError(code: .serverUnreachable, detail: "No Photolala server can be reached at \(server).")
        case .connectionLost:
            PhotolalaError(
                code: .outcomeUnknown,
                detail: "The connection to \(server) broke before its answer came; it may have acted or not."
            )
        case .tooLarge:
            AnswerReader.notPhotolala(server, "its answer is too large")
        }
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
