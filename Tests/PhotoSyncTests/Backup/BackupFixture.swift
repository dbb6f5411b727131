import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting

@testable import PhotoCatalog
@testable import PhotoSync

/// A device of Bob with a folder of photos, and the store of his library.
struct BackupFixture {
    let folder: TemporaryFolder
    let state: TemporaryFolder
    let store: FakeObjectStore
    var settings = BackupSettings()
    var device = DeviceTag.none

    /// Day 0 is long after the modification dates of the test files, which are at rest by then.
    static let firstDay = 40_000

    /// A device with a new library.
    init(fault: @escaping FakeObjectStore.Fault = { _, _ in nil }) throws {
        try self.init(store: FakeObjectStore(fault: fault))
    }

    init(store: FakeObjectStore) throws {
        (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        self.store = store
    }

    /// A device like another one, with the given folders and store instead of its own.
    init(
        like other: BackupFixture, folder: TemporaryFolder? = nil, state: TemporaryFolder? = nil,
        store: FakeObjectStore? = nil
    ) {
        (settings, device) = (other.settings, other.device)
        self.folder = folder ?? other.folder
        self.state = state ?? other.state
        self.store = store ?? other.store
    }

    func backUp(
        onDay day: Int = 0, at moment: Date? = nil, report: @escaping @Sendable (BackupEvent) -> Void = { _ in }
    ) async throws -> BackupSummary {
        let backup = Backup(
            store: store, user: .bob, device: device, stateFolder: state.path, settings: settings, pause: .none,
            now: { moment ?? Date(timeIntervalSince1970: Double(Self.firstDay + day) * 86_400) }
        )
        return try await backup.run(folder: folder.path, report: report)
    }

    /// Removes the device's cached catalog.
    func forgetCatalog() {
        try? FileManager.default.removeItem(atPath: CatalogFolderCache.folder(in: state.path, user: .bob))
    }

    /// Writes an old snapshot of `others` photos that are not stored.
    func writeLegacyCatalog(of others: Int) async throws {
        try await store.memory.putSnapshot(try LegacyCatalog.snapshot(of: others))
    }

    func catalog() async throws -> Catalog {
        try await CatalogStore(store: store, user: .bob, pause: .none).load().catalog
    }

    func stored(_ bytes: [UInt8]) async throws -> StoredObject? {
        let md5 = ContentDigest(of: ByteBuffer(bytes: bytes)).description
        return try await store.memory.get(ObjectKey(known: StorageLayout.photo(.bob, md5: md5)), limit: 1 << 30)
    }
}
