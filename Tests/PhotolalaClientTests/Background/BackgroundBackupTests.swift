import Foundation
import NIOCore
import ObjectStorage
import PhotoSync
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import Transport

@testable import PhotolalaClient

/// A system that uploads when the test says so.
private final class ManualTransfer: BackgroundTransfer {
    let uploads = Mutex<[Int: BackgroundUpload]>([:])
    let networks = Mutex<[PermittedNetworks]>([])

    func start(_ upload: BackgroundUpload) async throws(BackgroundTransferError) -> Int {
        networks.withLock { $0.append(upload.networks) }
        return uploads.withLock { uploads in
            let id = (uploads.keys.max() ?? 0) + 1
            uploads[id] = upload
            return id
        }
    }

    func running() async -> [BackgroundTask] {
        uploads.withLock { $0.map { BackgroundTask(id: $0, name: $1.name, hasBegun: false) } }
    }

    func cancel(_ tasks: Set<Int>) async { uploads.withLock { for id in tasks { $0[id] = nil } } }

    /// Stores the files of all tasks, without reporting it.
    func uploadAll(to store: MemoryObjectStore) async throws {
        let all = uploads.withLock { uploads in
            defer { uploads = [:] }
            return uploads.values
        }
        for upload in all {
            let key = ObjectKey(known: StorageLayout.photo(ClientFixture.user, md5: String(upload.name.suffix(32))))
            let data = try #require(FileManager.default.contents(atPath: upload.file))
            _ = try await store.put(key, ByteBuffer(bytes: data), if: .always)
        }
    }
}

@Suite("Backups in the background") struct BackgroundBackupTests {
    private struct Device {
        let fixture: ClientFixture
        let library: PhotolalaLibrary
        let preferences: PhotolalaPreferences
        let transfer = ManualTransfer()
        let store: MemoryObjectStore
        let source = FakePhotoSource()

        func backup(qualities: Set<String> = [BackgroundBackup.originalQuality]) -> BackgroundBackup {
            BackgroundBackup(
                library: library, preferences: preferences, transfer: transfer, inbox: BackgroundInbox(),
                qualities: qualities)
        }

        /// The files of the queues' copies.
        var copies: [String] {
            get throws {
                let folder = fixture.folder.appendingPathComponent("library").path
                return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".upload") }
            }
        }

        var reservations: Int { fixture.server.requests("/uploads/batch").count }
    }

    /// Reserves everything, at this store.
    private static func reserving(at store: String = "https://s3.example") -> FakeServer.Response {
        @Sendable func reserve(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            guard case .bytes(let body) = request.body,
                let requests = try? WireJSON.decoder().decode(UploadRequests.self, from: Data(body.readableBytesView))
            else { throw .notSent("no reservation") }
            let end = ClientFixture.start + TimeInterval(requests.lifetime ?? 300)
            let reserved = ReservedUploads(
                uploads: requests.uploads.map {
                    ReservedUpload(
                        url: "\(ClientFixture.address(of: $0, at: "\(store)/bucket/"))?X-Amz-Signature=1",
                        headers: ["content-length": "\($0.size)"],
                        expiresAt: end)
                }, storageLimit: 5_000_000_000)
            return try await FakeServer.json(reserved)(request)
        }
        return reserve
    }

    private static func withDevice(
        _ answer: @escaping FakeServer.Response = reserving(), _ test: (Device) async throws -> Void
    ) async throws {
        let script = ["POST /auth/signin": [ClientFixture.signedInAnswer()], "POST /uploads/batch": [answer]]
        try await ClientFixture.with(script) { fixture in
            let (session, clock) = (try await fixture.signedIn(), fixture.clock)
            let store = MemoryObjectStore { clock.now }
            let library = PhotolalaLibrary(
                session: session, stateFolder: fixture.folder.appendingPathComponent("library").path,
                now: { clock.now }, sendReserved: noReservedUploads
            ) { _, _ throws(PhotolalaError) in store }
            let preferences = PhotolalaPreferences(session: session, profile: try ProfileDirectory(fixture.folder))
            let device = Device(fixture: fixture, library: library, preferences: preferences, store: store)
            for seed in 1...3 { device.source.add("\(seed)", PhotoBytes.jpeg(seed, length: 5_000)) }
            try await test(device)
        }
    }

    @Test("new photos are handed over with addresses of a week, and are in the library once they are stored")
    func journey() async throws {
        try await Self.withDevice { device in
            try await device.preferences.set("autoBackup", to: .bool(true))
            let backup = device.backup()
            let report = try await backup.run(device.source)
            #expect(report.isEnabled && report.foundFiles == 3 && report.uploadingPhotos == 3)
            #expect(report.failures.isEmpty && report.stopped == nil && report.waitingPhotos == 0)
            let addresses = device.transfer.uploads.withLock { $0.values.map(\.address) }
            #expect(addresses.allSatisfy { $0.expiresAt == ClientFixture.start + 604_800 })
            try await device.transfer.uploadAll(to: device.store)
            let after = try await backup.resume()
            #expect(after.uploadingPhotos == 0 && after.uploadedPhotos == 0 && after.foundFiles == nil)
            #expect(try await device.library.photos().count == 3)
            #expect(device.reservations == 1)
        }
    }

    @Test("without autoBackup nothing is copied, and turning it off cancels what waits")
    func off() async throws {
        try await Self.withDevice { device in
            let backup = device.backup()
            #expect(try await backup.run(device.source).isEnabled == false)
            #expect(device.reservations == 0)
            try await device.preferences.set("autoBackup", to: .bool(true))
            #expect(try await backup.run(device.source).uploadingPhotos == 3)
            try await device.preferences.set("autoBackup", to: .bool(false))
            let report = try await backup.run(device.source)
            #expect(!report.isEnabled && report.uploadingPhotos == 0)
            #expect(device.transfer.uploads.withLock { $0.isEmpty })
        }
    }

    @Test(
        "only an explicit false permits cellular networks",
        arguments: [
            (PreferenceValue?.none, PermittedNetworks.unmetered), (.bool(true), .unmetered), (.text("no"), .unmetered),
            (.bool(false), .all),
        ])
    func networks(value: PreferenceValue?, networks: PermittedNetworks) async throws {
        try await Self.withDevice { device in
            try await device.preferences.set("autoBackup", to: .bool(true))
            try await device.preferences.set("wifiOnlyBackup", to: value)
            _ = try await device.backup().run(device.source)
            #expect(device.transfer.networks.withLock { $0 } == [networks, networks, networks])
        }
    }

    @Test(
        "a quality that the app does not implement is refused before anything is copied",
        arguments: [
            (PreferenceValue.text("original"), true), (.text("high"), true), (.number(80), true), (.text("low"), false),
            (.number(0.5), false), (.bool(true), false),
        ])
    func quality(value: PreferenceValue, isImplemented: Bool) async throws {
        try await Self.withDevice { device in
            try await device.preferences.set("autoBackup", to: .bool(true))
            try await device.preferences.set("uploadQuality", to: value)
            let backup = device.backup(qualities: ["original", "high", "80"])
            if isImplemented {
                #expect(try await backup.run(device.source).uploadingPhotos == 3)
            } else {
                await expect(.uploadQualityUnsupported) { _ = try await backup.run(device.source) }
                #expect(device.reservations == 0)
            }
        }
    }

    @Test(
        "why uploads did not continue is in the report, and nothing is lost",
        arguments: [
            (ErrorCode.storageReadOnly, 403), (.temporarilyUnavailable, 503),
        ])
    func stopped(code: ErrorCode, status: Int) async throws {
        try await Self.withDevice(FakeServer.problem(code, status)) { device in
            try await device.preferences.set("autoBackup", to: .bool(true))
            let report = try await device.backup().run(device.source)
            #expect(report.stopped?.code == code && report.waitingPhotos == 3)
        }
    }

    @Test("after the device was signed out, its uploads and their copies can be removed")
    func signedOut() async throws {
        try await Self.withDevice { device in
            try await device.preferences.set("autoBackup", to: .bool(true))
            let backup = device.backup()
            #expect(try await backup.run(device.source).uploadingPhotos == 3)
            _ = try? await device.library.session.signOut()
            await expect(.notSignedIn) { _ = try await backup.resume() }
            #expect(device.transfer.uploads.withLock { $0.count } == 3)
            try await backup.cancel()
            #expect(device.transfer.uploads.withLock { $0.isEmpty })
            #expect(try device.copies.isEmpty)
        }
    }

    @Test("an upload may use no cellular network from the next run after they were forbidden")
    func forbiddenNetworks() async throws {
        try await Self.withDevice { device in
            try await device.preferences.set("autoBackup", to: .bool(true))
            try await device.preferences.set("wifiOnlyBackup", to: .bool(false))
            let backup = device.backup()
            _ = try await backup.run(device.source)
            try await device.preferences.set("wifiOnlyBackup", to: .bool(true))
            _ = try await backup.resume()
            let running = device.transfer.uploads.withLock { $0.values.map(\.networks) }
            #expect(running == [.unmetered, .unmetered, .unmetered])
        }
    }

    @Test("a quality that the app does not implement stops no upload that runs, and loses none")
    func qualityWhileRunning() async throws {
        try await Self.withDevice { device in
            try await device.preferences.set("autoBackup", to: .bool(true))
            let backup = device.backup()
            _ = try await backup.run(device.source)
            try await device.preferences.set("uploadQuality", to: .text("tiny"))
            await expect(.uploadQualityUnsupported) { _ = try await backup.run(device.source) }
            try await device.transfer.uploadAll(to: device.store)
            try await device.preferences.set("uploadQuality", to: nil)
            _ = try await backup.resume()
            #expect(try await device.library.photos().count == 3 && device.reservations == 1)
        }
    }

    @Test("the photos of runs at the same time are handed over once")
    func runsAtTheSameTime() async throws {
        try await Self.withDevice { device in
            try await device.preferences.set("autoBackup", to: .bool(true))
            let backup = device.backup()
            async let (first, second, third) = (
                backup.run(device.source), backup.resume(), backup.run(device.source)
            )
            _ = try await (first, second, third)
            #expect(device.transfer.networks.withLock { $0.count } == 3)
        }
    }

    @Test("photos are not sent in plain text because a server says so")
    func plainAddress() async throws {
        try await Self.withDevice(Self.reserving(at: "http://s3.example")) { device in
            try await device.preferences.set("autoBackup", to: .bool(true))
            let report = try await device.backup().run(device.source)
            #expect(report.stopped?.code == .unusableAddress && report.uploadingPhotos == 0)
        }
    }
}
