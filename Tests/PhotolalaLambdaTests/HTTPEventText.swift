import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PhotolalaAPI
import PhotolalaLambda
import PhotolalaServer
import PhotolalaTesting
import Testing

/// An event of a function URL.
struct HTTPEventText {
    var method = "GET"
    var path = "/"
    var query = ""
    var headers: [String: String] = [:]
    var cookies: [String]?
    var body: String?
    var isBase64 = false
    var sourceIP = "203.0.113.7"
    var stage = "$default"
    var routeKey = "$default"
    /// The path in `requestContext`; `path` if `nil`.
    var contextPath: String?

    var text: String {
        var event: [String: Any] = [
            "version": "2.0", "routeKey": routeKey, "rawPath": path, "rawQueryString": query,
            "headers": ["host": "abc.lambda-url.eu-west-1.on.aws", "content-type": "application/json"].merging(
                headers
            ) { $1 },
            "requestContext": [
                "accountId": "anonymous", "apiId": "abc", "domainName": "abc.lambda-url.eu-west-1.on.aws",
                "http": [
                    "method": method, "path": contextPath ?? path, "protocol": "HTTP/1.1", "sourceIp": sourceIP,
                    "userAgent": "test",
                ],
                "requestId": "1", "routeKey": routeKey, "stage": stage, "timeEpoch": 1_790_000_000_000,
            ] as [String: Any], "isBase64Encoded": isBase64, "pathParameters": NSNull(), "stageVariables": NSNull(),
        ]
        event["body"] = body
        event["cookies"] = cookies
        return (try? JSONSerialization.data(withJSONObject: event)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// An answer to an event of a function URL.
struct HTTPAnswer: Decodable {
    let statusCode: Int
    let headers: [String: String]
    let cookies: [String]?
    let body: String
    let isBase64Encoded: Bool

    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try WireJSON.decoder().decode(type, from: Data(body.utf8))
    }
}

/// Sends events to a function.
struct FunctionClient {
    let handler: any InvocationHandler

    init(_ handler: any InvocationHandler) { self.handler = handler }

    /// The function of a service, with the whole API.
    init(_ service: TestService, hosts: ServerSettings? = nil) throws {
        let settings = ServerSettings(host: "127.0.0.1", port: 0, publicURL: TestService.publicURL)
        let responder = try buildResponder(
            settings, services: service.services, development: [service.apple, service.google, service.facebook])
        handler = HTTPFunction(responder, logger: Logger(label: "test") { _ in MetadataRecorder { _ in } })
    }

    /// A function whose responses come from a closure.
    init(_ respond: @escaping @Sendable (Request, ServerContext) async throws -> Response) {
        handler = HTTPFunction(
            CallbackResponder(callback: respond), logger: Logger(label: "test") { _ in MetadataRecorder { _ in } })
    }

    func outcome(_ event: String, id: String = "8476a536-e9f4-11e8-9739-2dfe598c3fcd") async -> InvocationOutcome {
        await handler.handle(.test(id, event))
    }

    func answer(_ event: String) async throws -> String {
        switch await outcome(event) {
        case .answer(let bytes): return String(buffer: bytes)
        case .failure(let failure): throw failure
        }
    }

    func send(_ event: HTTPEventText) async throws -> HTTPAnswer {
        try WireJSON.decoder().decode(HTTPAnswer.self, from: Data(try await answer(event.text).utf8))
    }

    /// Posts a JSON body.
    func post(_ path: String, _ body: some Encodable, token: String? = nil) async throws -> HTTPAnswer {
        var event = HTTPEventText(method: "POST", path: path)
        event.body = String(decoding: try WireJSON.encoder().encode(body), as: UTF8.self)
        if let token { event.headers["authorization"] = "Bearer \(token)" }
        return try await send(event)
    }
}
