import DirectoryStorage
import Foundation
import HTTPTypes
import Logging
import NIOCore
import ObjectStorage
import PhotolalaTesting
import S3Protocol
import Secrets
import Synchronization
import Testing
import Transport

@testable import StorageGateway

/// The S3 endpoint over a data folder whose disk is full, through HTTP.
@Suite struct FullDiskEndpointTests {
    private let bucket = "/\(GatewayFixture.bucket)"
    private let photos = (0..<4).map { "photos/\(GatewayFixture.ada)/\($0).dat" }

    private struct Endpoint {
        let gateway: LiveGateway
        let transport: AsyncHTTPTransport

        /// Sends a signed request; the answer's status with its body.
        func send(
            _ method: HTTPRequest.Method, _ path: String, query: String = "", body: String = ""
        ) async throws -> (status: Int, text: String) {
            let host = "127.0.0.1:\(gateway.port)"
            let signer = RequestSigner(
                credentials: try gateway.fixture.credentials(), region: "us-east-1", service: "s3",
                pathNormalization: .none)
            let request = SignableRequest(method: method.rawValue, host: host, path: path, query: query)
            let signed = signer.sign(request, payload: .of(Data(body.utf8)), at: gateway.fixture.time.now)
            let response = try await transport.send(
                TransportRequest(
                    method: method, url: "http://\(host)\(path)\(query.isEmpty ? "" : "?\(query)")",
                    headers: signed.headers, body: body.isEmpty ? .none : .bytes(ByteBuffer(string: body))))
            return (response.status, String(buffer: try await response.collect(limit: 1 << 20)))
        }
    }

    /// An endpoint over a folder with the photos; `fill` makes its disk full.
    private func withPhotos(
        in folder: String, _ reserve: StorageReserve,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: (Endpoint) async throws -> Void
    ) async throws {
        let store = try await DirectoryObjectStore.open(
            at: URL(fileURLWithPath: folder), now: { GatewayFixture.start }, randomness: .system, logger: logger,
            reserve: reserve)
        let transport = AsyncHTTPTransport()
        let outcome: Result<Void, any Error>
        do {
            for photo in photos { try await store.put(ObjectKey(known: photo), ByteBuffer(string: photo), if: .absent) }
            try await LiveGateway.run(over: store, logger: logger) { gateway in
                try await body(Endpoint(gateway: gateway, transport: transport))
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try await transport.shutdown()
        try await store.close()
        try outcome.get()
    }

    /// Uploads are refused, and photos can be deleted one by one and together.
    private func expectDeletions(_ endpoint: Endpoint) async throws {
        for number in 0..<3 {
            let refused = try await endpoint.send(
                .put, "\(bucket)/photos/\(GatewayFixture.ada)/new-\(number)", body: "x")
            #expect(refused.status == 507 && refused.text.contains("InsufficientStorage"))
        }
        let one = try await endpoint.send(.delete, "\(bucket)/\(photos[0])")
        #expect(one.status == 204, "\(one.text)")
        let list = photos[1...2].map { "<Object><Key>\($0)</Key></Object>" }.joined()
        let several = try await endpoint.send(.post, bucket, query: "delete", body: "<Delete>\(list)</Delete>")
        #expect(several.status == 200 && !several.text.contains("<Error>"), "\(several.text)")
        for photo in photos {
            let isLeft = photo == photos[3]
            #expect(try await endpoint.send(.head, "\(bucket)/\(photo)").status == (isLeft ? 200 : 404))
        }
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let name = Randomness.system.uuid().uuidString
        let folder = "\(FileManager.default.temporaryDirectory.path)/photolala-endpoint-\(name)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    @Test("a disk without the reserve takes deletions and refuses uploads, which are no errors in the log")
    func withoutReserve() async throws {
        let available = Mutex<Int64>(1 << 30)
        let lines = Mutex<[String]>([])
        let logger = Logger(label: "test") { _ in LineRecorder { line in lines.withLock { $0.append(line) } } }
        let reserve = StorageReserve(bytes: 1000) { _ in
            DiskSpace(available: available.withLock { $0 }, total: 1 << 40)
        }
        try await withFolder { folder in
            try await withPhotos(in: folder, reserve, logger: logger) { endpoint in
                available.withLock { $0 = 0 }
                try await expectDeletions(endpoint)
            }
        }
        let written = lines.withLock { $0 }
        #expect(!written.contains { $0.hasPrefix("error") }, "\(written)")
        #expect(written.count { $0 == "warning disk nearly full: uploads rejected" } == 1)
        #expect(written.count { $0 == "debug request failed" } == 3)
    }

    @Test(
        "a disk that is full to its last byte takes deletions",
        .enabled(if: MountedDisk.canBeMade, "needs root on Linux to mount a small disk"))
    func lastByte() async throws {
        try await withFolder { folder in
            try await MountedDisk.withSmall(at: folder) {
                try await withPhotos(in: folder, StorageReserve(bytes: 2 << 20)) { endpoint in
                    try MountedDisk.fill("\(folder)/.filler")
                    try await expectDeletions(endpoint)
                }
            }
        }
    }
}
