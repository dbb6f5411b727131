import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PhotolalaLambda
import PhotolalaTesting
import Synchronization
import Testing
import Transport

/// The runtime API over HTTP, against a server as Lambda's is.
@Suite(.timeLimit(.minutes(2))) struct RuntimeClientTests {
    /// Calls the client with a runtime API whose responses come from a closure.
    private func withAPI(
        _ respond: @escaping @Sendable (Request, String) throws -> Response,
        _ body: @escaping @Sendable (RuntimeClient) async throws -> Void
    ) async throws {
        let responder = CallbackResponder { (request: Request, _: BasicRequestContext) in
            let sent = String(buffer: try await request.body.collect(upTo: 16 << 20))
            return try respond(request, sent)
        }
        try await Application(responder: responder).test(.live) { server in
            let transport = AsyncHTTPTransport(idleTimeout: RuntimeClient.unlimited)
            let port = try #require(server.port)
            do {
                try await body(RuntimeClient(address: "127.0.0.1:\(port)", transport: transport))
            } catch {
                try? await transport.shutdown()
                throw error
            }
            try await transport.shutdown()
        }
    }

    private func fields(_ id: String?, _ deadline: String?) -> HTTPFields {
        var fields: HTTPFields = [.contentType: "application/json"]
        if let id, let name = HTTPField.Name("Lambda-Runtime-Aws-Request-Id") { fields[name] = id }
        if let deadline, let name = HTTPField.Name("Lambda-Runtime-Deadline-Ms") { fields[name] = deadline }
        return fields
    }

    @Test func `an invocation has id, deadline and event, and answers and errors go to its own path`() async throws {
        let seen = Mutex<[String]>([])
        try await withAPI { request, body in
            seen.withLock { $0.append("\(request.method.rawValue) \(request.uri.path) \(body)") }
            guard request.uri.path.hasSuffix("/next") else { return Response(status: .accepted) }
            return Response(
                status: .ok, headers: fields("id-1", "1790000030500"),
                body: .init(byteBuffer: ByteBuffer(string: #"{"a":1}"#)))
        } _: { client in
            let invocation = try await client.next()
            #expect(invocation.id == "id-1" && String(buffer: invocation.event) == #"{"a":1}"#)
            #expect(invocation.deadline == Date(timeIntervalSince1970: 1_790_000_030.5))
            try await client.answer("id-1", ByteBuffer(string: "done"))
            try await client.fail("id-1", InvocationFailure("a_type", "a message"))
            try await client.failInitialization(InvocationFailure("start_problem", "no bucket"))
        }
        let base = "/2018-06-01/runtime"
        #expect(
            seen.withLock { $0 } == [
                "GET \(base)/invocation/next ", "POST \(base)/invocation/id-1/response done",
                #"POST \#(base)/invocation/id-1/error {"errorType":"a_type","errorMessage":"a message"}"#,
                #"POST \#(base)/init/error {"errorType":"start_problem","errorMessage":"no bucket"}"#,
            ])
    }

    @Test(
        "an invocation without a usable id or deadline is an error",
        arguments: [(nil, "1"), ("a/b", "1"), ("", "1"), ("a", nil), ("a", "soon")] as [(String?, String?)])
    func malformed(id: String?, deadline: String?) async throws {
        try await withAPI { _, _ in
            Response(status: .ok, headers: fields(id, deadline))
        } _: { client in
            await #expect(throws: RuntimeAPIError.malformedInvocation) { try await client.next() }
        }
    }

    @Test func `refusals are reported by their status`() async throws {
        try await withAPI { request, _ in
            Response(status: request.uri.path.hasSuffix("/response") ? .contentTooLarge : .forbidden)
        } _: { client in
            await #expect(throws: RuntimeAPIError.unexpectedStatus(403)) { try await client.next() }
            await #expect(throws: RuntimeAPIError.tooLarge) { try await client.answer("a", ByteBuffer()) }
            await #expect(throws: RuntimeAPIError.unexpectedStatus(403)) {
                try await client.fail("a", InvocationFailure("a", "b"))
            }
        }
    }

    @Test func `a runtime API that is not there is unreachable`() async throws {
        let transport = AsyncHTTPTransport()
        let client = RuntimeClient(address: "127.0.0.1:1", transport: transport)
        let error = await #expect(throws: RuntimeAPIError.self) { try await client.next() }
        #expect(error?.description.hasPrefix("the runtime API is unreachable") == true)
        try await transport.shutdown()
    }
}
