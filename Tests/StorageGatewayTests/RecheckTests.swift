import HTTPTypes
import Hummingbird
import NIOCore
import ObjectStorage
import PhotolalaAPI
import S3Protocol
import Synchronization
import Testing

@testable import StorageGateway

@Suite("Sessions that end during an upload") struct RecheckTests {
    private let fixture: GatewayFixture
    private let path = GatewayFixture.path("x")

    init() throws { fixture = try GatewayFixture() }

    /// Uploads two bytes, and calls a function before the second one is received.
    private func upload(_ path: String, query: String = "", _ pause: @escaping @Sendable () -> Void) async throws
        -> (status: Int, isStored: Bool)
    {
        let request = SignableRequest(
            method: "PUT", host: "127.0.0.1:9000", path: path, query: query,
            headers: try GatewayFixture.fields(["content-length": "2"]))
        let signer = RequestSigner(
            credentials: try fixture.credentials(), region: "us-east-1", service: "s3", pathNormalization: .none)
        var fields = try GatewayFixture.fields(["content-length": "2"])
        fields.append(contentsOf: signer.sign(request, payload: .unsigned, at: fixture.time.now).headers)
        let sent = Mutex(0)
        let body = AsyncStream<ByteBuffer> {
            let number = sent.withLock { sent in
                sent += 1
                return sent
            }
            if number == 2 { pause() }
            return number <= 2 ? ByteBuffer(string: "a") : nil
        }
        let head = HTTPRequest(
            method: .put, scheme: "http", authority: "127.0.0.1:9000",
            path: query.isEmpty ? path : "\(path)?\(query)", headerFields: fields)
        let request2 = Request(head: head, body: RequestBody(asyncSequence: body))
        let response = await fixture.responder().handle(request2) {}
        let key = try #require(ObjectKey(String(path.dropFirst(GatewayFixture.bucket.count + 2))))
        return (response.status.code, try await fixture.store.head(key) != nil)
    }

    @Test(
        "an upload stores nothing if its session ended, or the account may not write any more",
        arguments: [(FakeSessionCheck.State.ended, 403), (.live(.readDelete), 403), (.unreachable, 503)])
    func ended(_ state: FakeSessionCheck.State, status: Int) async throws {
        let fixture = fixture
        let upload = try await upload(path) {
            fixture.sessions.set(state)
            fixture.time.advance(2)
        }
        #expect(upload.status == status && !upload.isStored)
    }

    @Test("a session that is still valid, and one that ended within the second, store the object")
    func valid() async throws {
        let fixture = fixture
        let slow = try await upload(path) { fixture.time.advance(3000) }
        #expect(slow.status == 200 && slow.isStored)
        let quick = try await upload(GatewayFixture.path("y")) {
            fixture.sessions.set(.ended)
            fixture.time.advance(0.5)
        }
        #expect(quick.status == 200 && quick.isStored)
    }

    @Test("a clock that was set back does not prevent the check")
    func clock() async throws {
        let fixture = fixture
        let upload = try await upload(path) {
            fixture.sessions.set(.ended)
            fixture.time.advance(-60)
        }
        #expect(upload.status == 403 && !upload.isStored)
    }

    @Test(
        "the holder of an upload address cannot add headers that are stored, except a type and caching",
        arguments: ObjectHeaders.storedFields)
    func storedHeaders(name: HTTPField.Name) async throws {
        let refusal = [.contentType, .cacheControl].contains(name) ? 200 : 403
        for (access, status) in [(StorageAccessLevel.upload, refusal), (.readWrite, 200)] {
            let signer = RequestSigner(
                credentials: try fixture.credentials(access: access), region: "us-east-1", service: "s3",
                pathNormalization: .none)
            let request = SignableRequest(method: "PUT", host: "127.0.0.1:9000", path: path, query: "")
            let query = signer.presignedQuery(request, expires: 60, at: fixture.time.now)
            var fields = try GatewayFixture.fields(["content-length": "1"])
            fields[name] = "gzip"
            let response = try await fixture.sendRaw(
                "PUT", path, query: query, fields: fields, body: [ByteBuffer(string: "a")])
            #expect(response.status == status, "\(access): \(response.text)")
        }
    }
}
