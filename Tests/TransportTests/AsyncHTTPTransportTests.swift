import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import Synchronization
import Testing
import Transport

@Suite("HTTP with AsyncHTTPClient")
struct AsyncHTTPTransportTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Two: a\r\nX-Two: b\r\n\r\nok"
    /// Without and with a collected body.
    private static let collected = [nil, 1000]

    @discardableResult
    private func withTransport<Result: Sendable>(
        _ transport: AsyncHTTPTransport = AsyncHTTPTransport(),
        _ body: (AsyncHTTPTransport) async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body(transport)
            try await transport.shutdown()
            return result
        } catch {
            try await transport.shutdown()
            throw error
        }
    }

    @Test(
        "a URL is sent unchanged",
        arguments: [
            "/", "/a%20b", "/a%2fb%2Fc", "/a/../b/./c", "//a//b/", "/a+b~c_d-e.f", "/%E2%82%AC", "/%e2%82%ac",
            "/a;b=1,c", "/a:b@c!$&'()*+,;=", "/?", "/?a=b%2Bc&d=%20+e&empty=&X-Amz-Signature=0aF", "/?a=%ff",
            "/k?list-type=2&prefix=a%2Fb/c?d",
            "/a%25%32%35", "/.hidden/..", "/caf%C3%A9?q=%C3%A9",
        ]
    )
    func urlsAreKept(target: String) async throws {
        let seen = Mutex("")
        try await withTransport { transport in
            try await RawServer.with { request in
                seen.withLock { $0 = request.target }
                return .text(Self.ok)
            } _: { address in
                for collected in Self.collected {
                    let request = TransportRequest(method: .get, url: address + target, collectedLength: collected)
                    _ = try await transport.send(request).collect(limit: 10)
                    #expect(seen.withLock { $0 } == target)
                }
            }
        }
    }

    @Test("any valid target is sent unchanged")
    func randomTargetsAreKept() async throws {
        let letters = Array("abcXYZ019-._~:/?@!$&'()*+,;=").map(String.init)
        let legal = letters + ["%00", "%2f", "%25", "%C3%A9"]
        let seen = Mutex([String]())
        var state: UInt64 = 2026
        let targets = (0..<100).map { _ in
            "/"
                + (0..<12).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return legal[Int(state >> 33) % legal.count]
                }.joined()
        }
        try await withTransport { transport in
            try await RawServer.with { request in
                seen.withLock { $0.append(request.target) }
                return .text(Self.ok)
            } _: { address in
                for target in targets {
                    let response = try await transport.send(TransportRequest(method: .get, url: address + target))
                    _ = try await response.collect(limit: 10)
                }
            }
        }
        #expect(seen.withLock { $0 } == targets)
    }

    @Test(
        "a URL that would be changed is not sent",
        arguments: ["/a b", "/é", "/a|b", "/a\"b", "/a#b", "/a\n", "/a?b=[1]", "/a%zz", "/a%2", "/a%ff"]
    )
    func unencodedURLsAreRefused(target: String) async throws {
        try await withTransport { transport in
            let request = TransportRequest(method: .get, url: "http://127.0.0.1:1" + target)
            await #expect(throws: TransportError.notSent("not a percent-encoded http or https URL")) {
                try await transport.send(request)
            }
        }
    }

    @Test("anything but an HTTP URL is not sent", arguments: ["", "/k", "ftp://127.0.0.1/", "http://", "https:///k"])
    func otherURLsAreRefused(url: String) async throws {
        try await withTransport { transport in
            await #expect { try await transport.send(TransportRequest(method: .get, url: url)) } throws: {
                isNotSent($0)
            }
        }
    }

    @Test("method, headers and bytes are sent and received", arguments: Self.collected)
    func exchange(collected: Int?) async throws {
        let seen = Mutex<RawServer.Request?>(nil)
        let response = try await withTransport { transport in
            try await RawServer.with { request in
                seen.withLock { $0 = request }
                return .text(Self.ok)
            } _: { address in
                let request = TransportRequest(
                    method: .put, url: address + "/k", headers: [.ifNoneMatch: "*", .contentType: "text/plain"],
                    body: .bytes(ByteBuffer(string: "hello")), collectedLength: collected
                )
                let response = try await transport.send(request)
                return (response.status, response.headers, String(buffer: try await response.collect(limit: 2)))
            }
        }
        #expect(response.0 == 200)
        #expect(response.1[values: try #require(HTTPField.Name("X-Two"))] == ["a", "b"])
        #expect(response.2 == "ok")
        let request = try #require(seen.withLock { $0 })
        #expect(request.head.hasPrefix("PUT /k HTTP/1.1\r\n"))
        #expect(request.head.contains("\r\nIf-None-Match: *\r\n"))
        #expect(request.body == ByteBuffer(string: "hello"))
    }

    @Test("a stream is sent with its length")
    func streamedUpload() async throws {
        let seen = Mutex<RawServer.Request?>(nil)
        try await withTransport { transport in
            try await RawServer.with { request in
                seen.withLock { $0 = request }
                return .text(Self.ok)
            } _: { address in
                let chunks = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
                    for _ in 0..<10 { continuation.yield(ByteBuffer(repeating: 0x61, count: 1000)) }
                    continuation.finish()
                }
                let request = TransportRequest(
                    method: .put, url: address + "/k", body: .stream(length: 10_000, chunks)
                )
                _ = try await transport.send(request).collect(limit: 10)
            }
        }
        let request = try #require(seen.withLock { $0 })
        #expect(request.head.lowercased().contains("\r\ncontent-length: 10000"))
        #expect(!request.head.lowercased().contains("transfer-encoding"))
        #expect(request.body.readableBytes == 10_000)
    }

    @Test("a stream of another length than declared fails the request", arguments: [9, 11])
    func wrongStreamLength(length: Int64) async throws {
        try await withTransport { transport in
            try await RawServer.with { _ in
                .silence
            } _: { address in
                let chunks = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
                    continuation.yield(ByteBuffer(repeating: 0x61, count: 10))
                    continuation.finish()
                }
                let request = TransportRequest(
                    method: .put, url: address + "/k", body: .stream(length: length, chunks)
                )
                await #expect { try await transport.send(request) } throws: { isConnectionLost($0) }
            }
        }
    }

    @Test("a redirect is returned as a response", arguments: Self.collected)
    func redirectsAreNotFollowed(collected: Int?) async throws {
        let count = Mutex(0)
        let status = try await withTransport { transport in
            try await RawServer.with { _ in
                count.withLock { $0 += 1 }
                return .text("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
            } _: { address in
                let request = TransportRequest(method: .get, url: address + "/", collectedLength: collected)
                return try await transport.send(request).status
            }
        }
        #expect(status == 302)
        #expect(count.withLock { $0 } == 1)
    }

    @Test("a connection that could not be established means that nothing was sent", arguments: Self.collected)
    func refusedConnections(collected: Int?) async throws {
        // A port that was free a moment ago and has no listener.
        let address = try await RawServer.with { _ in
            .silence
        } _: {
            $0
        }
        try await withTransport { transport in
            for url in [address, address.replacing("127.0.0.1", with: "localhost")] {
                let request = TransportRequest(method: .get, url: url, collectedLength: collected)
                await #expect { try await transport.send(request) } throws: {
                    isNotSent($0)
                }
            }
        }
    }

    @Test("a connection lost before the response leaves the outcome unknown", arguments: Self.collected)
    func brokenBeforeTheAnswer(collected: Int?) async throws {
        try await withTransport { transport in
            try await RawServer.with { _ in
                .breakOff("")
            } _: { address in
                let request = TransportRequest(method: .get, url: address + "/", collectedLength: collected)
                await #expect { try await transport.send(request) } throws: {
                    isConnectionLost($0)
                }
            }
        }
    }

    @Test("an interrupted body is not treated as complete", arguments: Self.collected)
    func brokenBody(collected: Int?) async throws {
        try await withTransport { transport in
            let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"
            try await RawServer.with { _ in
                .breakOff(half)
            } _: { address in
                let request = TransportRequest(method: .get, url: address + "/", collectedLength: collected)
                let response = try await transport.send(request)
                await #expect { try await response.collect(limit: 100) } throws: { isConnectionLost($0) }
            }
        }
    }

    @Test("a silent server causes a timeout with an unknown outcome", arguments: Self.collected)
    func silence(collected: Int?) async throws {
        try await withTransport { transport in
            try await RawServer.with { _ in
                .silence
            } _: { address in
                let request = TransportRequest(
                    method: .get, url: address + "/", timeout: .milliseconds(50), collectedLength: collected
                )
                await #expect(throws: TransportError.noResponse(after: .milliseconds(50))) {
                    try await transport.send(request)
                }
            }
        }
    }

    @Test("waiting for a connection times out after the connect timeout", arguments: Self.collected)
    func waiting(collected: Int?) async throws {
        let transport = AsyncHTTPTransport(connectionsPerHost: 1, connectTimeout: .seconds(2))
        let isTaken = AsyncStream.makeStream(of: Void.self)
        try await withTransport(transport) { transport in
            try await RawServer.with { _ in
                isTaken.continuation.yield()
                return .silence
            } _: { address in
                let request = TransportRequest(method: .get, url: address + "/", collectedLength: collected)
                let first = Task {
                    defer { isTaken.continuation.finish() }
                    return try await transport.send(request)
                }
                for await _ in isTaken.stream { break }
                await #expect { try await transport.send(request) } throws: { isNotSent($0) }
                first.cancel()
                await #expect { try await first.value } throws: { isConnectionLost($0) }
            }
        }
    }

    @Test("a body larger than the limit is not collected", arguments: Self.collected)
    func limits(collected: Int?) async throws {
        try await withTransport { transport in
            try await RawServer.with { _ in
                .text(Self.ok)
            } _: { address in
                let request = TransportRequest(method: .get, url: address + "/", collectedLength: collected)
                let response = try await transport.send(request)
                await #expect(throws: TransportError.tooLarge) { try await response.collect(limit: 1) }
            }
        }
    }
}

private func isNotSent(_ error: any Error) -> Bool {
    if case .notSent = error as? TransportError { true } else { false }
}

private func isConnectionLost(_ error: any Error) -> Bool {
    if case .connectionLost = error as? TransportError { true } else { false }
}
