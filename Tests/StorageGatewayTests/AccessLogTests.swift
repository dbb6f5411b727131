import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PhotolalaTesting
import Synchronization
import Testing

@testable import StorageGateway

/// The access log of the S3 endpoint.
@Suite struct AccessLogTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[[String: String]]>([])
        func append(_ line: [String: String]) { lines.withLock { $0.append(line) } }
        var all: [[String: String]] { lines.withLock(\.self) }
    }

    private let lines = Lines()

    private func fixture(logsRequests: Bool = true, requestsPerAddress: Int = 0) throws -> GatewayFixture {
        try GatewayFixture(
            requestsPerAddress: requestsPerAddress, logsRequests: logsRequests,
            logger: Logger(label: "test") { [lines] _ in MetadataRecorder { lines.append($0) } })
    }

    @Test("a request has one line with operation, sizes, status, request id and account hash")
    func lines() async throws {
        let fixture = try fixture()
        let put = try await fixture.send(
            "PUT", GatewayFixture.path("Summer/a.jpg"), body: [ByteBuffer(string: "12345"), ByteBuffer(string: "678")])
        let get = try await fixture.send("GET", GatewayFixture.path("Summer/a.jpg"))
        let head = try await fixture.send("HEAD", GatewayFixture.path("Summer/a.jpg"))
        #expect([put.status, get.status, head.status] == [200, 200, 200])
        #expect(get.text == "12345678")
        #expect(head.header("Content-Length") == "8")
        let account = try fixture.keyRing.accountHash(of: GatewayFixture.ada.uuid)
        let expected = [
            ("PUT", "PutObject", "8", "0"), ("GET", "GetObject", "0", "8"), ("HEAD", "HeadObject", "0", "0"),
        ]
        try #require(lines.all.count == 3)
        for (line, (expected, response)) in zip(lines.all, zip(expected, [put, get, head])) {
            let named = [
                "event": "s3-request", "message": "s3 request", "method": expected.0, "operation": expected.1,
                "area": "photos", "status": "200", "bytesIn": expected.2, "bytesOut": expected.3, "account": account,
                "requestID": response.header("x-amz-request-id") ?? "",
            ]
            #expect(line.filter { $0.key != "ms" } == named)
            #expect(line["ms"].flatMap { Int($0) } != nil)
        }
    }

    @Test("a line contains nothing else that a client chose, also for refused and malformed requests")
    func nothingPersonal() async throws {
        let fixture = try fixture()
        let marker = "Secret"
        for path in [
            GatewayFixture.path("\(marker)%0Ax.jpg"), "/\(GatewayFixture.bucket)/\(marker)/x", "/\(marker)/x",
            "/\(GatewayFixture.bucket)/photos/\(GatewayFixture.bob)/\(marker)", "/%zz\(marker)",
        ] {
            _ = try await fixture.send("GET", path, query: "prefix=\(marker)", headers: ["x-amz-meta-a": marker])
            _ = try await fixture.send("DELETE", path)
        }
        _ = try await fixture.sendRaw("GET", GatewayFixture.path(marker), fields: [.userAgent: marker])
        let requests = lines.all.filter { $0["event"] == "s3-request" }
        #expect(requests.count == 11)
        for line in requests {
            for (name, value) in line {
                #expect(!value.contains(marker) && !value.contains("\n"), "\(name)")
                #expect(!value.contains("\(GatewayFixture.ada)") && !value.contains("\(GatewayFixture.bob)"), "\(name)")
            }
            #expect(line["code"] != nil)
        }
        #expect(requests.last?["account"] == nil, "a request without a signature has no account")
        #expect(requests.contains { $0["code"] == "AccessDenied" && $0["account"] != nil })
    }

    @Test("a response that no client reads has a line when it is released")
    func abandoned() async throws {
        let fixture = try fixture()
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "127.0.0.1:9000", path: GatewayFixture.path("a"))
        func request() async -> Int {
            let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
            return await fixture.responder().handle(request) {}.status.code
        }
        #expect(await request() == 403)
        #expect(lines.all.map { $0["bytesOut"] } == ["0"])
    }

    @Test("no line is written without the setting")
    func off() async throws {
        let fixture = try fixture(logsRequests: false)
        #expect(try await fixture.send("PUT", GatewayFixture.path("a")).status == 200)
        #expect(lines.all.isEmpty)
    }
}
