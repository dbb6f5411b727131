import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

@testable import PhotoCatalog

/// A library shared by Bob's devices: each has its own photos, and all add a different photo at one shared path.
struct SharedLibrary: Sendable {
    let store: any ObjectStore
    var device = DeviceTag.none
    /// Whether the device commits without reading the catalog.
    var isBlind = false

    /// Sizes so small that each commit creates a part, and a few parts are joined.
    private var sizes: CatalogSizes {
        var sizes = CatalogSizes()
        sizes.ownEntries = 200
        sizes.partsOfOneSize = 2
        sizes.joinedBytes = 2000
        return sizes
    }

    /// The initial entry: a photo of the first device.
    static let before: CatalogChange = change("before.jpg", 200)

    /// The changes of one round of a device: a photo of its own, and one at the shared path.
    static func changes(device: Int, round: Int) -> [CatalogChange] {
        let shared = change("shared.jpg", 10 * device + round, replacing: round > 0 ? 10 * device + round - 1 : nil)
        return [change("\(device)-\(round).jpg", 100 + 10 * device + round), shared]
    }

    private static func change(_ path: String, _ seed: Int, replacing: Int? = nil) -> CatalogChange {
        guard let change = try? CatalogChange.photo(path, seed: seed, modified: Int64(seed), replacing: replacing)
        else {
            preconditionFailure("invalid path or digest")
        }
        return change
    }

    private var catalogs: CatalogStore {
        CatalogStore(
            store: store, user: .bob, device: device,
            pause: Backoff(randomness: .seeded(3)) { _ in await Task.yield() },
            randomness: .seeded(UInt64(device.value) + 7), sizes: sizes
        )
    }

    func commit(_ changes: [CatalogChange]) async throws {
        let catalogs = catalogs
        if isBlind {
            _ = try await catalogs.commit(changes, onto: try await catalogs.head())
        } else {
            _ = try await catalogs.commit(changes, onto: try await catalogs.load())
        }
    }

    /// Commits several rounds on one device, each onto the result of the previous one.
    func commitRounds(device: Int, count: Int, acknowledged: @Sendable (Int) -> Void) async throws {
        let catalogs = catalogs
        if isBlind {
            var head = try await catalogs.head()
            for round in 0..<count {
                head = try await catalogs.commit(Self.changes(device: device, round: round), onto: head)
                acknowledged(round)
            }
            return
        }
        var version = try await catalogs.load()
        for round in 0..<count {
            version = try await catalogs.commit(Self.changes(device: device, round: round), onto: version).version
            acknowledged(round)
        }
    }

    func repair() async throws { _ = try await catalogs.repair() }

    func catalog() async throws -> Catalog { try await catalogs.load().catalog }

    /// Overwrites the pointer with invalid content.
    func damagePointer() async throws {
        try await store.put(
            ObjectKey(known: StorageLayout.catalogPointer(.bob)), ByteBuffer(string: "junk"), if: .always
        )
    }
}

extension Catalog {
    /// Whether a photo is in the catalog, under its own path or a conflict path.
    func holds(_ change: CatalogChange) -> Bool { change.entry.map { holds($0.path, $0.md5) } ?? false }
}
