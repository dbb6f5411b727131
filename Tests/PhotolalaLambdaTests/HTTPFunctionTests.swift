import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PhotolalaAPI
import PhotolalaLambda
import PhotolalaTesting
import Synchronization
import Testing
import UseCases

/// Payload format 2.0 in both directions.
@Suite struct HTTPFunctionTests {
    /// Returns what the responder sees of an event: method, target, host, a header field and the body.
    private func seen(_ event: HTTPEventText, field: String = "x-test") async throws -> [String] {
        let client = FunctionClient { request, _ in
            let body = try await request.body.collect(upTo: 8 << 20)
            let name = try #require(HTTPField.Name(field))
            let parts = [
                request.method.rawValue, request.head.path ?? "", request.head.authority ?? "",
                request.headers[name] ?? "", String(buffer: body),
            ]
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: parts.joined(separator: "\n"))))
        }
        let answer = try await client.send(event)
        return answer.body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `method, path, query and host are those of the request, and the host is no header field`() async throws {
        var event = HTTPEventText(method: "DELETE", path: "/auth/devices/a%2Fb", query: "x=1&y=%20")
        #expect(
            try await seen(event, field: "host") == [
                "DELETE", "/auth/devices/a%2Fb?x=1&y=%20", "abc.lambda-url.eu-west-1.on.aws", "", "",
            ])
        event = HTTPEventText(path: "/stage/a b/\u{e9}")
        event.stage = "stage"
        #expect(try await seen(event)[1] == "/a%20b/%C3%A9")
        event.path = "/stage"
        #expect(try await seen(event)[1] == "/")
        event.path = "/staged"
        #expect(try await seen(event)[1] == "/staged")
    }

    @Test func `a decoded question mark or number sign begins no query or fragment`() async throws {
        let event = HTTPEventText(path: "/auth/a?x=1#b", query: "y=#2")
        #expect(try await seen(event)[1] == "/auth/a%3Fx=1%23b?y=%232")
    }

    @Test(
        "a stage with the name of a path's first part is removed only where it is one",
        arguments: [
            ("/auth/auth/signin", "$default", nil, "/auth/signin"),
            ("/auth/auth/signin", "POST /auth/signin", nil, "/auth/signin"),
            ("/auth/signin", "POST /auth/signin", nil, "/auth/signin"),
            ("/auth/signin", "$default", "/auth/auth/signin", "/auth/signin"),
            ("/auth", "$default", nil, "/"), ("auth", "$default", nil, "/auth"),
        ] as [(String, String, String?, String)])
    func stage(path: String, routeKey: String, contextPath: String?, target: String) async throws {
        var event = HTTPEventText(path: path, stage: "auth")
        (event.routeKey, event.contextPath) = (routeKey, contextPath)
        #expect(try await seen(event)[1] == target)
    }

    @Test func `larger header fields than a server accepts, or more, are refused before fields are made of them`()
        async throws
    {
        let client = FunctionClient { _, _ in Response(status: .ok) }
        var event = HTTPEventText(headers: ["x-test": String(repeating: "a", count: 15_000)])
        #expect(try await client.send(event).statusCode == 200)
        event.query = String(repeating: "a", count: 2000)
        let refused = try await client.send(event)
        #expect(refused.statusCode == 431)
        #expect(try refused.decode(Problem.self).code == .invalidRequest)
        event = HTTPEventText()
        event.cookies = Array(repeating: "", count: 9000)
        #expect(try await client.send(event).statusCode == 431)
        for (count, status) in [(98, 200), (99, 431), (70_000, 431)] {
            let fields = (0..<count).map { ("x-\($0)", "") }
            event = HTTPEventText(headers: Dictionary(uniqueKeysWithValues: fields))
            #expect(try await client.send(event).statusCode == status, "\(count)")
        }
    }

    @Test func `several values of a field and all cookies arrive`() async throws {
        var event = HTTPEventText(headers: ["x-test": "one, two", "cookie": "old=1"])
        #expect(try await seen(event)[3] == "one, two")
        event.cookies = ["a=1", "b=2"]
        #expect(try await seen(event, field: "cookie")[3] == "a=1; b=2")
    }

    @Test func `bodies arrive as text and as base64, and none belongs to another request`() async throws {
        var event = HTTPEventText(method: "POST")
        event.body = "{\"\u{e9}\":1}"
        #expect(try await seen(event)[4] == "{\"\u{e9}\":1}")
        (event.body, event.isBase64) = (Data("bytes".utf8).base64EncodedString(), true)
        #expect(try await seen(event)[4] == "bytes")
        let bodies = Mutex<[String]>([])
        let client = FunctionClient { request, _ in
            let body = String(buffer: try await request.body.collect(upTo: 1024))
            bodies.withLock { $0.append(body) }
            return Response(status: .noContent)
        }
        _ = try await client.send(event)
        let second = try await client.send(HTTPEventText(method: "POST"))
        #expect(bodies.withLock { $0 } == ["bytes", ""])
        #expect(second.statusCode == 204 && second.body.isEmpty && second.cookies == nil)
    }

    @Test func `an answer has cookies in a list, joined fields, and base64 only for what is not text`() async throws {
        let client = FunctionClient { request, _ in
            var headers: HTTPFields = [.contentType: "text/plain", .contentLength: "3"]
            headers[values: .setCookie] = ["a=1; Path=/", "b=2"]
            headers[values: .vary] = ["Origin", "Accept"]
            let bytes =
                request.uri.path == "/binary" ? ByteBuffer(bytes: [0xff, 0, 1]) : ByteBuffer(string: "h\u{e9}\"")
            return Response(status: .created, headers: headers, body: .init(byteBuffer: bytes))
        }
        let text = try await client.send(HTTPEventText(path: "/text"))
        #expect(text.statusCode == 201 && text.body == "h\u{e9}\"" && !text.isBase64Encoded)
        #expect(text.cookies == ["a=1; Path=/", "b=2"])
        #expect(text.headers == ["content-type": "text/plain", "vary": "Origin, Accept"])
        let binary = try await client.send(HTTPEventText(path: "/binary"))
        #expect(binary.isBase64Encoded && Data(base64Encoded: binary.body) == Data([0xff, 0, 1]))
    }

    @Test func `a 6 MB event is read, and a response that does not fit is a problem document without more memory`()
        async throws
    {
        var event = HTTPEventText(method: "POST")
        event.body = String(repeating: "x", count: 6 << 20)
        let reader = FunctionClient { request, _ in
            let count = try await request.body.collect(upTo: 8 << 20).readableBytes
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "\(count)")))
        }
        #expect(try await reader.send(event).body == "\(6 << 20)")
        let written = Mutex(0)
        let client = FunctionClient { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    for _ in 0..<1000 {
                        written.withLock { $0 += 1 }
                        try await writer.write(ByteBuffer(repeating: 0x61, count: 1 << 20))
                    }
                    try await writer.finish(nil)
                })
        }
        let answer = try await client.send(HTTPEventText())
        #expect(answer.statusCode == 500 && answer.headers["content-type"] == "application/problem+json")
        #expect(try answer.decode(Problem.self).detail.contains("6 MB"))
        #expect(written.withLock { $0 } == 7)
    }

    @Test func `a body that fails while it is read is a problem document`() async throws {
        struct Broken: Error {}
        let client = FunctionClient { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "half"))
                    throw Broken()
                })
        }
        let answer = try await client.send(HTTPEventText())
        #expect(answer.statusCode == 500)
        #expect(try answer.decode(Problem.self).code == .internalError)
    }

    @Test(
        "an event that is no request fails alone, with a typed error",
        arguments: ["", "nonsense", "[]", "{}", #"{"version":"1.0","httpMethod":"GET"}"#, #"{"version":"2.0"}"#])
    func poison(event: String) async throws {
        let client = FunctionClient { _, _ in Response(status: .ok) }
        guard case .failure(let failure) = await client.outcome(event) else {
            Issue.record("no failure")
            return
        }
        #expect(failure.errorType == "invalid_event")
        #expect(try await client.send(HTTPEventText()).statusCode == 200)
    }

    @Test func `a body that is not base64 fails alone`() async {
        var event = HTTPEventText(method: "POST")
        (event.body, event.isBase64) = ("%%%", true)
        let client = FunctionClient { _, _ in Response(status: .ok) }
        let outcome = await client.outcome(event.text)
        guard case .failure(let failure) = outcome else {
            Issue.record("no failure")
            return
        }
        #expect(failure.errorType == "invalid_event")
    }

    @Test func `an error that no handler answered keeps the delay before a retry`() async throws {
        let client = FunctionClient { _, _ in throw ServiceError.overloaded(retryAfter: 7) }
        let answer = try await client.send(HTTPEventText())
        #expect(answer.statusCode == 503 && answer.headers["retry-after"] == "7")
    }

    @Test func `an invocation that is not answered in time gets a problem document with the invocation's id`() throws {
        let client = FunctionClient { _, _ in Response(status: .ok) }
        guard case .answer(let bytes) = client.handler.timeout(of: .test("8476a536-e9f4-11e8-9739-2dfe598c3fcd")) else {
            Issue.record("no answer")
            return
        }
        let answer = try WireJSON.decoder().decode(HTTPAnswer.self, from: Data(bytes.readableBytesView))
        let problem = try answer.decode(Problem.self)
        #expect(answer.statusCode == 503 && problem.code == .temporarilyUnavailable)
        #expect(problem.requestID == "8476a536e9f411e897392dfe598c3fcd")
    }
}
