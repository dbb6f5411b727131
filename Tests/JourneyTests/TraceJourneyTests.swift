import Foundation
import HTTPTypes
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Testing
import Transport

/// Traces and CloudWatch's metrics of a real server.
@Suite(.serialized, .enabled(if: !OpenIDServerKind.installed.isEmpty, "run scripts/install-clients"))
struct TraceJourneyTests {
    private static let trace = "12345678901234567890123456789012"

    @Test("a sign-in is one trace: route, store and provider; its id is in log and problem, and all is sent at the end")
    func signIn() async throws {
        try await withTemporaryFolder { folder, transport in
            let collector = try await TraceCollector(in: folder, transport)
            defer { collector.stop() }
            let kind = try #require(OpenIDServerKind.installed.first)
            let provider = try await kind.start(in: folder, transport: transport)
            defer { provider.stop() }
            let algorithms = provider.algorithm.map { #""algorithms": ["\#($0)"], "# } ?? ""
            let oidc = """
                {"corporate": {"issuer": "\(provider.issuer)", "audiences": ["photolala"], \(algorithms)\
                "allowPrivateAddresses": true}}
                """
            let logs = (output: folder.appending(path: "out.log"), errors: folder.appending(path: "err.log"))
            let server = try await ServerProcess(
                data: folder.appending(path: "store"), transport: transport,
                variables: [
                    "PHOTOLALA_OIDC": oidc, "PHOTOLALA_TRACES_OTLP": collector.url, "PHOTOLALA_TRACES_PERCENT": "100",
                    "PHOTOLALA_METRICS_EMF": "Photolala/test", "PHOTOLALA_LOG_LEVEL": "info",
                    "PHOTOLALA_LOG_FORMAT": "json",
                ], logs: logs)
            let person = OpenIDPerson(
                provider: provider, server: server.address, caller: Person(1, transport: transport))
            #expect(try await person.act(.signup, subject: "bob", device: 1).status == 201)
            var request = TransportRequest(
                method: .post, url: "\(server.address)/auth/signin", headers: [.contentType: "application/json"],
                body: .bytes(ByteBuffer(string: "{}")))
            request.headers[try #require(HTTPField.Name("traceparent"))] = "00-\(Self.trace)-1234567890123456-00"
            let refused = try await transport.send(request).collect(limit: 1 << 16)
            let problem = try WireJSON.decoder().decode(Problem.self, from: Data(refused.readableBytesView))
            #expect(problem.requestID == Self.trace)
            #expect(server.stop() == 0)

            let spans = try collector.spans()
            let root = try #require(spans.first { $0.name == "POST /auth/signup" })
            let own = spans.filter { $0.traceId == root.traceId }
            #expect(root.parentSpanId == nil && root.kind == 2)
            #expect(root.texts["http.response.status_code"] == "201")
            #expect(own.contains { $0.name == "store put" && $0.parentSpanId == root.spanId })
            let keys = try #require(own.first { $0.name == "provider keys" })
            #expect(keys.parentSpanId == root.spanId && keys.texts["photolala.provider"] == "corporate")
            #expect(own.contains { $0.name == "sts" } == false)
            // The caller does not record its trace.
            #expect(!spans.contains { $0.traceId == Self.trace })
            let everything = spans.map { "\($0)" }.joined()
            for text in ["bob", "127.0.0.1", "identities/"] { #expect(!everything.contains(text), "\(text)") }

            let lines = try String(contentsOf: logs.errors, encoding: .utf8).split(separator: "\n")
            #expect(lines.contains { $0.contains(root.traceId) && $0.contains("/auth/signup") })
            #expect(lines.contains { $0.contains(Self.trace) && $0.contains("/auth/signin") })
            let metrics = try String(contentsOf: logs.output, encoding: .utf8).split(separator: "\n")
            #expect(metrics.contains { $0.contains("photolala_accounts_created_total") && $0.hasPrefix("{") })
        }
    }
}

/// An OTLP collector: Python's http.server, which stores what it receives.
private struct TraceCollector {
    let url: String
    private let process: ChildProcess
    private let file: URL

    init(in folder: URL, _ transport: any HTTPTransport) async throws {
        let port = try freePort()
        url = "http://127.0.0.1:\(port)/v1/traces"
        file = folder.appending(path: "traces")
        process = try ChildProcess(
            URL(filePath: "/usr/bin/python3"), ["-c", Self.script, "\(port)", file.path], environment: [:],
            output: .discarded)
        let address = url
        try await waitUntil("the collector listens") {
            let request = TransportRequest(method: .get, url: address, timeout: .seconds(5))
            return (try? await transport.send(request))?.status == 204
        }
    }

    func spans() throws -> [ExportedSpan] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").flatMap {
            try ExportedSpan.read(Data($0.utf8))
        }
    }

    func stop() { process.kill() }

    private static let script = """
        import sys
        from http.server import BaseHTTPRequestHandler, HTTPServer
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(204)
                self.end_headers()
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/json"
                with open(sys.argv[2], "ab") as file: file.write(body + b"\\n")
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")
        HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
        """
}
