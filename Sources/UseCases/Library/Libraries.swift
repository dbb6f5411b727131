import Foundation
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Secrets
import StorageAccess

/// Shared state of the library use cases: how catalogs are read, and the catalogs in use.
package struct Libraries: Sendable {
    /// The least memory that can be configured for catalogs, in bytes.
    package static let minimumCacheCost = 64 << 20

    /// A bounded set of concurrent reads of catalogs up to a size.
    struct Lane: Sendable {
        let limiter: ConcurrencyLimiter
        let sizes: CatalogSizes
    }

    let stores: any UserStores
    let links: any ObjectURLSigner
    let cache: LibraryCache
    let readable = ReadablePhotos()
    let foreign = ForeignObjects()
    /// Limits the inspections of uploaded photos, so that they take no seats from those who read libraries.
    let inspections: ConcurrencyLimiter
    /// The memory for catalogs in use, in bytes.
    let memory: Int
    private let lanes: (small: Lane, large: Lane)
    private let backoff: Backoff
    private let randomness: Randomness

    /// - Parameters:
    ///   - memory: the memory for all catalogs in use together, in bytes. Reads may briefly use one and a half times as
    ///     much in addition: reading takes about ten times the bytes of a catalog's files, so only libraries whose
    ///     files take at most a twentieth of this are read.
    ///   - pause: the backoff between attempts to commit a catalog that other writers change.
    package init(
        stores: any UserStores, links: any ObjectURLSigner, memory: Int, backoff: Backoff, randomness: Randomness,
        now: @escaping @Sendable () -> Date
    ) {
        self.stores = stores
        self.links = links
        self.backoff = backoff
        self.randomness = randomness
        self.cache = LibraryCache(limit: memory)
        self.memory = memory
        let budget = ReadTimeBudget(now: now)
        inspections = ConcurrencyLimiter(seats: 8, waiting: 400, budget: budget)
        lanes = (
            Lane(limiter: ConcurrencyLimiter(seats: 8, waiting: 400, budget: budget), sizes: .readable(memory / 160)),
            Lane(limiter: ConcurrencyLimiter(seats: 2, waiting: 50, budget: budget), sizes: .readable(memory / 20))
        )
    }

    /// Returns the lanes in which to try a library, smallest first.
    func lanes(for known: CachedLibrary?) -> [Lane] {
        let isLarge = (known?.newest.catalog.bytesInMemory ?? 0) > lanes.small.sizes.readable * 2
        return isLarge ? [lanes.large] : [lanes.small, lanes.large]
    }

    /// Returns the catalog of a user, accessed with that user's own credentials.
    func catalogs(
        _ user: UserID, _ credentials: StorageCredentials, device: DeviceID, sizes: CatalogSizes
    ) -> CatalogStore {
        CatalogStore(
            store: stores.store(of: user, credentials), user: user,
            device: DeviceTag(serverFor: device.description), pause: backoff, randomness: randomness, sizes: sizes)
    }

    /// Caches a user's newest catalog.
    func store(_ version: CatalogStore.Version, of user: UserID) {
        cache.store(CachedLibrary(newest: version, shown: cache.library(of: user)?.shown), of: user)
    }

    /// Caches the library that a page shows.
    func store(shown library: OpenLibrary, of user: UserID) {
        cache.store(CachedLibrary(newest: cache.library(of: user)?.newest ?? library.version, shown: library), of: user)
    }
}

extension CatalogSizes {
    fileprivate static func readable(_ bytes: Int) -> CatalogSizes {
        var sizes = CatalogSizes()
        sizes.readable = min(Int64(bytes), sizes.readable)
        sizes.salvageable = sizes.readable
        // Bounds the number of files, so that a small catalog in many parts does not hold a seat indefinitely.
        sizes.parts = 2000
        sizes.salvageableFiles = 2000
        return sizes
    }
}

/// A library as its owner views it.
package struct OpenLibrary: Sendable {
    let version: CatalogStore.Version
    package let photos: Timeline
    package let trash: Timeline

    init(_ version: CatalogStore.Version) {
        self.version = version
        photos = Timeline(version.catalog.entries)
        trash = Timeline(version.catalog.trash)
    }

    /// The name of the catalog version, which changes with each commit.
    package var name: String { version.head.name }
}

/// The cached state of one user's library.
struct CachedLibrary: Sendable {
    let newest: CatalogStore.Version
    /// The library that the last page showed; uploads or other devices may have committed newer versions.
    let shown: OpenLibrary?

    /// The approximate size in memory, in bytes.
    var cost: Int {
        var cost = 4096 + newest.catalog.bytesInMemory
        if let shown {
            cost += shown.photos.bytesInMemory + shown.trash.bytesInMemory
            if shown.name != newest.head.name { cost += shown.version.catalog.bytesInMemory }
        }
        return cost
    }
}
