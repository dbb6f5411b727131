import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import Transport

@testable import PhotolalaClient

/// A backup checks the quota before it uploads, and reports how to proceed.
@Suite struct QuotaTrackerTests {
    /// The uploads that reserved addresses received.
    private final class Addresses: Sendable {
        let sent = Mutex<[String: ByteBuffer]>([:])
        let fails = Mutex(false)

        func receive(_ body: ObjectBody, _ upload: ReservedUpload) async throws(ObjectStoreError) -> ETag {
            if fails.withLock({ $0 }) { throw .quotaExceeded }
            guard let bytes = try? await body.collect(upTo: 1 << 20) else { throw .bodyFailed("lost") }
            sent.withLock { $0[upload.url] = bytes }
            return ETag("t")
        }
    }

    private final class RecordedRequests: Sendable {
        let all = Mutex<[UploadRequest]>([])
    }

    /// Returns a server that responds to batch reservations.
    private static func reserving(
        _ response: @escaping @Sendable ([UploadRequest]) -> [ReservedUpload?]
    ) -> FakeServer.Response {
        @Sendable func reserve(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            guard case .bytes(let bytes) = request.body,
                let batch = try? WireJSON.decoder().decode(UploadRequests.self, from: Data(bytes.readableBytesView))
            else { throw .notSent("no batch") }
            let uploads = response(batch.uploads)
            let used: Int64? = uploads.contains { $0 == nil } ? 9900 : nil
            return try await FakeServer.json(
                ReservedUploads(uploads: uploads, storageUsed: used, storageLimit: 10_000))(request)
        }
        return reserve
    }

    private struct Device {
        let fixture: ClientFixture
        let library: PhotolalaLibrary
        let store: MemoryObjectStore
        let addresses: Addresses
        let photos: URL

        func stored() async throws -> Int {
            try await store.list(prefix: "photos/", after: nil, limit: 1000).objects.count
        }
    }

    /// Runs a test with a device that has photos of 1,000 bytes each.
    private static func with(
        photos count: Int, _ script: [String: [FakeServer.Response]], _ test: (Device) async throws -> Void
    ) async throws {
        let all = script.merging(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { own, _ in own }
        try await ClientFixture.with(all) { fixture in
            let session = try await fixture.signedIn()
            let clock = fixture.clock
            let (store, addresses) = (MemoryObjectStore { clock.now }, Addresses())
            let photos = fixture.folder.appendingPathComponent("photos")
            try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
            for number in 0..<count {
                let bytes = Data([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Data(repeating: UInt8(number), count: 994)
                try bytes.write(to: photos.appendingPathComponent("\(number).jpg"))
            }
            let library = PhotolalaLibrary(
                session: session, stateFolder: fixture.folder.appendingPathComponent("library").path,
                now: { clock.now },
                sendReserved: { body, upload throws(ObjectStoreError) in try await addresses.receive(body, upload) }
            ) { _, _ throws(PhotolalaError) in store }
            try await test(
                Device(fixture: fixture, library: library, store: store, addresses: addresses, photos: photos))
        }
    }

    private static let credentials = FakeServer.json(
        StorageCredentials(
            accessKeyID: "a", secretAccessKey: "b", sessionToken: "c", expiration: ClientFixture.start + 3600,
            endpoint: "https://s3.example", region: "r", bucket: "b", prefixes: [], access: .readWrite))

    @Test func `within the quota all photos are uploaded, and the report contains the usage`() async throws {
        try await Self.with(photos: 3, ["GET \(ClientFixture.usagePath)": [ClientFixture.usage(1000, of: 5000)]]) {
            device in
            let report = try await device.library.backUp(device.photos).report
            #expect(report.isComplete && report.uploadedFiles == 3)
            #expect(report.storage?.used == 4000 && report.storage?.limit == 5000)
            #expect(report.storage?.fullness == .near)
            let again = try await device.library.backUp(device.photos).report
            #expect(again.storage == nil, "nothing was uploaded, and the usage was not requested")
            #expect(device.fixture.server.requests("/usage").count == 1)
        }
    }

    @Test func `photos beyond the quota are not uploaded, and a later backup resumes`() async throws {
        try await Self.with(
            photos: 5,
            [
                "GET \(ClientFixture.usagePath)": [
                    ClientFixture.usage(7500, of: 10_000), ClientFixture.usage(7500, of: 50_000),
                ],
                "POST /auth/credentials": [Self.credentials],
            ]
        ) { device in
            let report = try await device.library.backUp(device.photos).report
            #expect(!report.isComplete && report.stopped == nil && report.uploadedFiles == 2)
            #expect(report.failures.map(\.reason) == Array(repeating: "quota exceeded", count: 3))
            #expect(report.filesWithoutRoom == 3)
            #expect(try await device.stored() == 2)
            #expect(report.storage?.fullness == .almostFull)
            let later = try await device.library.backUp(device.photos).report
            #expect(later.isComplete && later.uploadedFiles == 3 && later.alreadyStoredFiles == 2)
        }
    }

    @Test func `the quota is read again before stopping if it is a minute old`() async throws {
        let clock = Mutex<TestClock?>(nil)
        let slow: FakeServer.Response = { request throws(TransportError) in
            clock.withLock { $0?.advance(by: 61) }
            return try await ClientFixture.usage(9900, of: 10_000)(request)
        }
        try await Self.with(
            photos: 2,
            [
                "GET \(ClientFixture.usagePath)": [
                    slow, ClientFixture.usage(100, of: 10_000, countedAt: ClientFixture.start + 60),
                ],
                "POST /auth/credentials": [Self.credentials],
            ]
        ) { device in
            clock.withLock { $0 = device.fixture.clock }
            let report = try await device.library.backUp(device.photos).report
            #expect(report.isComplete)
            #expect(
                device.fixture.server.requests("/auth/credentials").count == 1,
                "the server counts before it issues credentials")
        }
    }

    @Test func `an account without write access uploads nothing and stops early`() async throws {
        try await Self.with(
            photos: 40,
            [
                "GET \(ClientFixture.usagePath)": [ClientFixture.usage(20_000, of: 10_000, .readDelete)],
                "POST /auth/credentials": [Self.credentials],
            ]
        ) { device in
            let report = try await device.library.backUp(device.photos).report
            #expect(report.stopped?.code == .quotaExceeded && report.uploadedFiles == 0)
            #expect(report.failures.count < 40 && report.filesWithoutRoom == 40)
            #expect(report.stopped?.detail.contains("Delete photos permanently or upgrade your plan.") == true)
            #expect(report.storage?.fullness == .full)
            #expect(device.fixture.server.requests("/usage").count <= 2)
            #expect(try await device.stored() == 0)
        }
    }

    @Test func `reserved uploads are sent to the server's URLs`() async throws {
        let asked = RecordedRequests()
        let reserve = Self.reserving { requests in
            asked.all.withLock { $0 += requests }
            return requests.map { one in
                ReservedUpload(url: ClientFixture.address(of: one), headers: [:], expiresAt: ClientFixture.start + 300)
            }
        }
        try await Self.with(
            photos: 9,
            [
                "GET \(ClientFixture.usagePath)": [ClientFixture.usage(0, of: 10, .readWrite, .reserved)],
                "POST /uploads/batch": [reserve],
            ]
        ) { device in
            let report = try await device.library.backUp(device.photos).report
            #expect(report.isComplete && report.uploadedFiles == 9)
            #expect(try await device.stored() == 0, "no upload bypasses the reserved URLs")
            #expect(
                device.addresses.sent.withLock { $0.values.map(\.readableBytes) } == Array(repeating: 1000, count: 9))
            let requests = asked.all.withLock { $0 }
            #expect(requests.count == 9)
            #expect(requests.allSatisfy { $0.kind == .photo && $0.size == 1000 && $0.contentType == "image/jpeg" })
        }
    }

    /// An app's maker of the same pictures of each HEIC file.
    private struct Maker: ThumbnailMaker {
        func supports(mediaType: String) -> Bool { mediaType == "image/heic" }

        func pictures(
            of file: URL, mediaType: String, previewQuality: Int?
        ) async throws(ThumbnailMakerError) -> MadePictures {
            func jpeg(_ seed: Int) -> Data { Data(PhotoBytes.picture(seed)) }
            return MadePictures(thumbnail: jpeg(1), preview: previewQuality.map(jpeg))
        }
    }

    @Test func `thumbnails and previews of an app's maker are reserved with their kind and photo`() async throws {
        let asked = RecordedRequests()
        let reserve = Self.reserving { requests in
            asked.all.withLock { $0 += requests }
            return requests.map { one in
                ReservedUpload(url: ClientFixture.address(of: one), headers: [:], expiresAt: ClientFixture.start + 300)
            }
        }
        try await Self.with(
            photos: 0,
            [
                "GET \(ClientFixture.usagePath)": [ClientFixture.usage(0, of: 10, .readWrite, .reserved)],
                "POST /uploads/batch": [reserve],
            ]
        ) { device in
            let heic = Data([0, 0, 0, 20]) + Data("ftypheic".utf8) + Data([0, 0, 0, 0]) + Data("heic".utf8)
            try heic.write(to: device.photos.appendingPathComponent("a.heic"))
            let (store, addresses, clock) = (device.store, device.addresses, device.fixture.clock)
            var library = PhotolalaLibrary(
                session: try device.fixture.session(),
                stateFolder: device.fixture.folder.appendingPathComponent("library").path,
                thumbnails: CheckedMaker(Maker()), now: { clock.now },
                sendReserved: { body, upload throws(ObjectStoreError) in try await addresses.receive(body, upload) }
            ) { _, _ throws(PhotolalaError) in store }
            library.previews = .jpeg(quality: 70)
            let report = try await library.backUp(device.photos).report
            #expect(report.isComplete && report.thumbnails == 1 && report.previews == 1)
            let requests = asked.all.withLock { $0 }
            #expect(requests.map(\.kind) == [.photo, .thumbnail, .preview])
            #expect(requests.map(\.photo) == [nil, requests.first?.md5, requests.first?.md5])
            let last = try #require(requests.last)
            let preview = device.addresses.sent.withLock { $0[ClientFixture.address(of: last)] }
            #expect(preview == ByteBuffer(bytes: PhotoBytes.picture(70)))
        }
    }

    @Test func `a reservation beyond the quota reports quota exceeded`() async throws {
        try await Self.with(
            photos: 2,
            [
                "GET \(ClientFixture.usagePath)": [ClientFixture.usage(0, of: 10_000, .readWrite, .reserved)],
                "POST /uploads/batch": [Self.reserving { $0.map { _ in nil } }],
            ]
        ) { device in
            let report = try await device.library.backUp(device.photos).report
            #expect(report.filesWithoutRoom == 2 && report.uploadedFiles == 0)
            #expect(device.fixture.server.requests("/usage").count == 1, "the refusal contains the usage")
            #expect(report.storage?.used == 9900 && report.storage?.fullness == .almostFull)
        }
    }

    @Test(arguments: [
        (0, 100, StorageFullness.roomy), (79, 100, .roomy), (80, 100, .near), (94, 100, .near), (95, 100, .almostFull),
        (99, 100, .almostFull), (100, 100, .full), (101, 100, .full), (0, 0, .roomy), (1, 0, .full),
        (Int64.max, Int64.max, .full), (Int64.max / 10 * 8 + 8, .max, .near),
    ])
    func `warnings begin at 80 and 95 percent`(used: Int64, limit: Int64, fullness: StorageFullness) {
        #expect(StorageFullness(used: used, of: limit) == fullness)
    }
}
