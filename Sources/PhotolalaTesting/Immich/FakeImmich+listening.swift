import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Transport

extension FakeImmich {
    /// Listens on a port of this machine for the duration of `body`.
    /// - Parameter body: Receives the address.
    package func listening<Result>(_ body: (_ address: String) async throws -> Result) async throws -> Result {
        try await withListening { isUp in
            Application(
                responder: CallbackResponder { [self] (request: Request, _: BasicRequestContext) in
                    try await response(to: request)
                }, configuration: .init(address: .hostname("127.0.0.1", port: 0)), onServerRunning: isUp,
                logger: Logger(label: "immich") { _ in SwiftLogNoOpLogHandler() })
        } _: { port in
            try await body("http://127.0.0.1:\(port)")
        }
    }

    private func response(to request: Request) async throws -> Response {
        let bytes = try await request.body.collect(upTo: 1 << 20)
        let answer = try await send(
            TransportRequest(
                method: request.method, url: "\(Self.address)\(request.uri.string)", headers: request.headers,
                body: .bytes(bytes)))
        let body = try await answer.collect(limit: 64 << 20)
        return Response(
            status: HTTPResponse.Status(code: answer.status), headers: answer.headers,
            body: ResponseBody(byteBuffer: body))
    }
}
