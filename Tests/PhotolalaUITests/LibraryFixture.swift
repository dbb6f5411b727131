import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Synchronization

/// A signed-in device with two photos and a video in two folders, and a store in memory.
@MainActor
struct LibraryFixture {
    let screen: ScreenFixture
    let library: PhotolalaLibrary
    let store: StoreAccess
    let folders: [URL]

    /// How the device reaches the photo store.
    final class StoreAccess: Sendable {
        let failures = Mutex<[PhotolalaError]>([])
        let hold = Mutex<(arrived: Gate, end: Gate)?>(nil)
        let opened = Mutex(0)

        func open(_ store: MemoryObjectStore) async throws(PhotolalaError) -> any ObjectStore {
            opened.withLock { $0 += 1 }
            if let hold = hold.withLock({ $0 }) {
                hold.arrived.open()
                await hold.end.wait()
            }
            if Task.isCancelled { throw PhotolalaError(code: .cancelled, detail: "Cancelled.") }
            if let error = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
            return store
        }
    }

    static func with(
        limit: Int64 = 1000, _ script: [String: [FakeServer.Response]] = [:],
        _ test: @escaping @MainActor @Sendable (LibraryFixture) async throws -> Void
    ) async throws {
        let account = User(
            serviceUserID: ClientFixture.user, primaryProvider: .apple, linkedProviders: [],
            createdAt: ClientFixture.start, subscription: Subscription(tier: .free, storageLimit: limit))
        let base = [
            "GET /users/\(ClientFixture.user)": [FakeServer.json(account)],
            "GET \(ClientFixture.usagePath)": [ClientFixture.usage(0, of: limit)],
        ]
        try await ScreenFixture.signedIn(base.merging(script) { _, own in own }) { screen in
            let clock = screen.client.clock
            let (store, access) = (MemoryObjectStore { clock.now }, StoreAccess())
            let folders = ["photos", "more"].map { screen.client.folder.appendingPathComponent($0) }
            for (folder, names) in zip(folders, [["one.jpg", "film.mp4"], ["two.jpg"]]) {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                for name in names { try content(name).write(to: folder.appendingPathComponent(name)) }
            }
            let library = PhotolalaLibrary(
                session: screen.session, stateFolder: screen.client.folder.appendingPathComponent("library").path,
                now: { clock.now },
                sendReserved: { _, _ throws(ObjectStoreError) in throw .denied("nothing is reserved here") }
            ) { _, _ throws(PhotolalaError) in try await access.open(store) }
            try await test(LibraryFixture(screen: screen, library: library, store: access, folders: folders))
        }
    }

    private static func content(_ name: String) -> Data {
        name.hasSuffix("mp4")
            ? Data([0, 0, 0, 16]) + Data("ftypisom".utf8) + Data([0, 0, 0, 0]) + Data(name.utf8)
            : Data([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Data(name.utf8)
    }
}
