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
        var library = cache.library(of: user) ?? CachedLibrary(newest: version)
        library.newest = version
        cache.store(library, of: user)
    }

    /// Caches the library that a page shows.
    func store(shown: OpenLibrary, of user: UserID) {
        var library = cache.library(of: user) ?? CachedLibrary(newest: shown.version)
        // A search keeps the version that it read in memory.
        if library.shown?.name != shown.name { library.found = nil }
        library.shown = shown
        cache.store(library, of: user)
    }

    /// Caches what a page shows of a library that is cached.
    func store<Value>(
        _ value: Value?, as member: WritableKeyPath<CachedLibrary, Value?>, of user: UserID
    ) {
        guard let value, var library = cache.library(of: user) else { return }
        library[keyPath: member] = value
        cache.store(library, of: user)
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
    let entries: CatalogEntries
    package let photos: Timeline
    package let trash: Timeline

    init(_ version: CatalogStore.Version) {
        self.version = version
        entries = version.catalog.entries
        photos = Timeline(entries)
        trash = Timeline(version.catalog.trash)
    }

    /// The name of the catalog version, which changes with each commit.
    package var name: String { version.head.name }
}

/// The photos that the last search found.
struct FoundPhotos: Sendable {
    let query: LibraryQuery
    /// The name of the view.
    let name: String
    let timeline: Timeline
}

/// The cached state of one user's library.
struct CachedLibrary: Sendable {
    var newest: CatalogStore.Version
    /// The library that the last page showed; uploads or other devices may have committed newer versions.
    var shown: OpenLibrary?
    var favorites: StoredDocument<Favorites>?
    var albums: StoredDocument<Albums>?
    var found: FoundPhotos?

    /// The approximate size in memory, in bytes.
    var cost: Int {
        var cost = 4096 + newest.catalog.bytesInMemory
        if let shown {
            cost += shown.photos.bytesInMemory + shown.trash.bytesInMemory + shown.entries.count * 4
            if shown.name != newest.head.name { cost += shown.version.catalog.bytesInMemory }
        }
        cost += (favorites?.document.bytesInMemory ?? 0) + (albums?.document.bytesInMemory ?? 0)
        if let found {
            cost += found.timeline.bytesInMemory
        }
        return cost
    }
}
