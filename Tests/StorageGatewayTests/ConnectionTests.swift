import Foundation
import HTTPListener
import S3Protocol
import Testing

@testable import StorageGateway

/// Behaviour visible only on a real connection, tested with Python's plain sockets.
@Suite(.enabled(if: RealClient.python != nil, "no python3 with boto3; run scripts/install-clients"))
struct ConnectionTests {
    private func run(
        _ script: String, minimumBodyRate: MinimumBodyRate = MinimumBodyRate(bytes: 1, interval: .seconds(60)),
        _ arguments: (LiveGateway) throws -> [String] = { _ in [] }
    ) async throws {
        let python = try #require(RealClient.python)
        try await RealClient.withFolder { folder in
            try await LiveGateway.run(minimumBodyRate: minimumBodyRate) { gateway in
                let preamble = """
                    import socket, sys
                    s = socket.create_connection(('127.0.0.1', \(gateway.port))); s.settimeout(120)
                    def head():
                        data = b''
                        while b'\\r\\n\\r\\n' not in data:
                            piece = s.recv(1)
                            if not piece: break
                            data += piece
                        return data.decode()

                    """
                let outcome = try await python.run(
                    ["-c", preamble + script + "\nprint('DONE')"] + arguments(gateway),
                    environment: gateway.environment(home: folder), in: folder)
                #expect(outcome.status == 0 && outcome.output.hasSuffix("DONE\n"), "\(outcome.output)")
            }
        }
    }

    private func link(_ gateway: LiveGateway) throws -> String {
        let path = GatewayFixture.path("x")
        let signer = RequestSigner(
            credentials: try gateway.fixture.credentials(), region: "us-east-1", service: "s3", pathNormalization: .none)
        let request = SignableRequest(method: "PUT", host: "h", path: path)
        return "\(path)?\(signer.presignedQuery(request, expires: 600, at: gateway.fixture.time.now))"
    }

    @Test("a client that waits for 100 Continue receives it, and the connection is kept")
    func continues() async throws {
        try await run(
            """
            for _ in range(2):
                s.sendall(f'PUT {sys.argv[1]} HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: 5\\r\\n'.encode())
                s.sendall(b'Expect: 100-continue\\r\\n\\r\\n')
                first = head(); assert first == 'HTTP/1.1 100 Continue\\r\\n\\r\\n', first
                s.sendall(b'hello')
                second = head(); assert second.startswith('HTTP/1.1 200 OK'), second
                assert 'connection: close' not in second.lower()
            """
        ) { [try link($0)] }
    }

    @Test("a rejected client receives the response before sending its body, and the connection closes")
    func refusedEarly() async throws {
        try await run(
            """
            s.sendall(b'PUT /b/k HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: 1000000000\\r\\n')
            s.sendall(b'Expect: 100-continue\\r\\n\\r\\n')
            answer = head(); assert answer.startswith('HTTP/1.1 403') and 'connection: close' in answer.lower(), answer
            """)
    }

    @Test("a rejected client that continues to send is disconnected early")
    func cutOff() async throws {
        try await run(
            """
            s.sendall(b'PUT /b/k HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: 1000000000\\r\\n\\r\\n')
            sent = 0
            try:
                while sent < 1_000_000_000: sent += s.send(b'x' * 65536)
            except (BrokenPipeError, ConnectionResetError): pass
            assert sent < 100_000_000, sent
            """)
    }

    @Test("a rejected request with a malformed body gets exactly one response")
    func oneAnswer() async throws {
        try await run(
            """
            s.sendall(b'PUT /b/k HTTP/1.1\\r\\nHost: h\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n')
            answer = head(); assert answer.startswith('HTTP/1.1 403'), answer
            s.sendall(b'ZZ\\r\\n')
            rest = b''
            while True:
                piece = s.recv(1000)
                if not piece: break
                rest += piece
            assert b'HTTP/1.1' not in rest, rest
            """)
    }

    @Test("a slow upload returns RequestTimeout and is not stored")
    func slowUpload() async throws {
        try await run(
            """
            s.sendall(f'PUT {sys.argv[1]} HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: 5\\r\\n\\r\\nh'.encode())
            answer = head(); assert answer.startswith('HTTP/1.1 400') and 'connection: close' in answer.lower(), answer
            body = s.recv(1000); assert b'<Code>RequestTimeout</Code>' in body, body
            """, minimumBodyRate: MinimumBodyRate(bytes: 5, interval: .milliseconds(200))
        ) { [try link($0)] }
    }

    @Test("a request with no or two Host headers is rejected", arguments: ["", "Host: h\\r\\nHost: h\\r\\n"])
    func host(_ fields: String) async throws {
        try await run(
            """
            s.sendall(b'GET /b/k HTTP/1.1\\r\\n\(fields)\\r\\n')
            answer = head(); assert answer.startswith('HTTP/1.1 400') and 'connection: close' in answer.lower(), answer
            assert b'<Code>BadRequest</Code>' in s.recv(1000)
            """)
    }

    @Test("HEAD responses have no body, so the next response belongs to the next request")
    func headless() async throws {
        try await run(
            """
            s.sendall(b'HEAD /b/k HTTP/1.1\\r\\nHost: h\\r\\n\\r\\nGET /b/k HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n')
            assert head().startswith('HTTP/1.1 403'); assert head().startswith('HTTP/1.1 403')
            """)
    }

    @Test(
        "malformed and oversized HTTP requests are rejected",
        arguments: [
            "GARBAGE\\r\\n\\r\\n", "GET /a HTTP/1.1\\r\\nHost: h\\r\\nX: ' + b'y' * 100000 + b'\\r\\n\\r\\n",
            "GET a HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n", "GET /%zz HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n",
        ])
    func garbage(_ bytes: String) async throws {
        try await run("s.sendall(b'\(bytes)')\nanswer = head(); assert answer.startswith('HTTP/1.1 4'), answer")
    }
}
