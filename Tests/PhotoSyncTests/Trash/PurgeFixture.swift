import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting

@testable import PhotoCatalog

/// Bob's library on a store with a controlled clock: a laptop has backed up photos, some of which are in the trash.
struct PurgeFixture {
    let clock = TestClock()
    let store: MemoryObjectStore
    let laptop: BackupFixture

    /// Photos in the laptop's folder: an expired one, an expired one that is also at another path, and a recent one.
    static let expired = PhotoBytes.jpeg(1)
    static let elsewhere = PhotoBytes.jpeg(2)
    static let recent = PhotoBytes.jpeg(3)
    static let over30Days: TimeInterval = 31 * 86_400

    init(others: Int = 0) async throws {
        let clock = clock
        store = MemoryObjectStore { clock.now }
        laptop = try BackupFixture(store: FakeObjectStore(store))
        if others > 0 { try await laptop.writeLegacyCatalog(of: others) }
        for (name, bytes) in [
            ("a.jpg", Self.expired), ("b.jpg", Self.elsewhere), ("copy of b.jpg", Self.elsewhere),
            ("c.jpg", Self.recent),
        ] {
            try laptop.folder.write(name, bytes)
        }
        _ = try await laptop.backUp()
        try await trash("a.jpg", "b.jpg")
        clock.advance(by: 20 * 86_400)
        try await trash("c.jpg")
        clock.advance(by: 11 * 86_400)
    }

    /// Another device with the expired content at another path.
    func phone(_ view: (any ObjectStore)? = nil) throws -> BackupFixture {
        let phone = try BackupFixture(store: FakeObjectStore(store, through: view))
        try phone.folder.write("new.jpg", Self.expired)
        return phone
    }

    func catalogs(_ view: (any ObjectStore)? = nil, device: UInt32 = 9) -> CatalogStore {
        CatalogStore(store: view ?? store, user: .bob, device: DeviceTag(value: device), pause: .none)
    }

    private func trash(_ paths: String...) async throws {
        var selection = PhotoSelection()
        selection.paths = paths
        _ = try await PhotoTrash(catalogs()).moveToTrash(selection) { _ in true }
    }

    func purge(_ view: (any ObjectStore & DatedDeletion)? = nil) async throws -> PurgeSummary {
        try await TrashPurge(catalogs(view), store: view ?? store).run { _ in true }
    }

    func catalog() async throws -> Catalog { try await catalogs().load().catalog }

    func isStored(_ bytes: [UInt8]) async throws -> Bool { try await laptop.stored(bytes) != nil }

    /// Returns the paths of library entries that are not in the store.
    func missing() async throws -> [LibraryPath] {
        var missing: [LibraryPath] = []
        for entry in try await catalog().entries where !entry.path.description.hasSuffix("/a.jpg") {
            let key = ObjectKey(known: StorageLayout.photo(.bob, md5: entry.md5.description))
            if try await store.head(key) == nil { missing.append(entry.path) }
        }
        return missing
    }
}
