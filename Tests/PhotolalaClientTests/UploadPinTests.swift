import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotolalaClient

/// Photos of one account are never sent to the place of another one.
@Suite struct UploadPinTests {
    private static let md5 = String(repeating: "a", count: 32)
    private static let photo = UploadRequest(md5: md5, size: 1, kind: .photo)

    private static func answer(_ url: String) -> FakeServer.Response {
        FakeServer.json(
            ReservedUploads(
                uploads: [ReservedUpload(url: url, headers: [:], expiresAt: ClientFixture.start + 300)],
                storageLimit: 1))
    }

    @Test func `a backup does not continue with another account`() async throws {
        let (asked, go) = (Gate(), Gate())
        let usage = ClientFixture.usage(0, of: 5_000_000_000, .readWrite, .reserved)
        let script = AccountPinTests.people.merging([
            "GET \(ClientFixture.usagePath)": [FakeServer.delayed(asked, until: go, usage)],
            "POST /uploads/batch": [Self.answer("https://s3.example/photos/\(AccountPinTests.eve)/\(Self.md5).dat")],
        ]) { _, own in own }
        try await ClientFixture.with(script) { fixture in
            let (session, clock) = (try await fixture.signedIn(), fixture.clock)
            let store = MemoryObjectStore { clock.now }
            let photos = fixture.folder.appendingPathComponent("photos")
            try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
            try Data(PhotoBytes.jpeg(1, length: 1000)).write(to: photos.appendingPathComponent("one.jpg"))
            let sent = Mutex(0)
            let library = PhotolalaLibrary(
                session: session, stateFolder: fixture.folder.appendingPathComponent("library").path,
                now: { clock.now },
                sendReserved: { _, _ throws(ObjectStoreError) in
                    sent.withLock { $0 += 1 }
                    return ETag("\"x\"")
                }
            ) { _, _ throws(PhotolalaError) in store }
            let report = Task { try await library.backUp(photos).report }
            await asked.wait()
            try await AccountPinTests.change(fixture)
            go.open()
            let result = await report.result
            let uploaded = (try? result.get())?.uploadedFiles ?? 0
            #expect(uploaded == 0 && sent.withLock { $0 } == 0 && fixture.server.requests("/uploads/batch").isEmpty)
            let keys = try await store.list(prefix: "", after: nil, limit: 100).objects.map { "\($0.key)" }
            #expect(!keys.contains { $0.contains("catalogs/") && $0.hasSuffix(".csv") }, "the catalog has no photo")
        }
    }

    @Test func `a store's credentials are not renewed for another account`() async throws {
        let credentials = Mutex<[UserID?]>([])
        try await ClientFixture.with(AccountPinTests.people) { fixture in
            let (session, clock) = (try await fixture.signedIn(), fixture.clock)
            let store = MemoryObjectStore { clock.now }
            let library = PhotolalaLibrary(
                session: session, stateFolder: fixture.folder.appendingPathComponent("library").path,
                now: { clock.now }, sendReserved: noReservedUploads
            ) { session, _ throws(PhotolalaError) in
                credentials.withLock { $0.append(session.account) }
                return store
            }
            _ = try await library.photos()
            #expect(credentials.withLock { $0 } == [ClientFixture.user])
        }
    }

    @Test(arguments: ["https://s3.example/", "https://bucket.s3.example/", "https://s3.example/bucket/"])
    func `an address has the key of its object, with the bucket in the host or in the path`(store: String) async throws
    {
        let requests = [
            Self.photo, UploadRequest(md5: "b", size: 1, kind: .thumbnail, photo: Self.md5),
            UploadRequest(md5: "b", size: 1, kind: .preview, photo: Self.md5),
        ]
        for request in requests {
            let url = ClientFixture.address(of: request, at: store)
            try await Self.expect(url + "?X-Amz-Signature=1", for: request, isAccepted: true)
        }
    }

    @Test(arguments: [
        "photos/\(AccountPinTests.eve)/\(md5).dat", "photos/\(ClientFixture.user)/b.dat", "one/two/KEY", "xKEY", "KEY/",
        "?key=/KEY", "#/KEY",
    ])
    func `another address is refused`(path: String) async throws {
        let key = StorageLayout.photo(ClientFixture.user, md5: Self.md5)
        try await Self.expect(
            "https://s3.example/" + path.replacingOccurrences(of: "KEY", with: key), for: Self.photo,
            isAccepted: false)
    }

    private static func expect(_ url: String, for request: UploadRequest, isAccepted: Bool) async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /uploads/batch": [answer(url)],
        ]) { fixture in
            let session = try await fixture.signedIn()
            let reserved = try? await session.reserve([request])
            #expect((reserved != nil) == isAccepted, "\(url)")
        }
    }
}
