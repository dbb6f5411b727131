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
    /// The most reads of an account at once, of which one runs. An album's page starts four: of the library, the album, the
    /// favorites and the hidden photos.
    static let readsPerAccount = 8

    /// The most pages of an account that are rendered or wait for it: more than a browser with many tabs requests at once.
    static let renderingsPerAccount = 32

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
    /// Limits the pages that are rendered from libraries in memory, which takes no other permit.
    let renderings: ConcurrencyLimiter
    /// Limits the inspections of uploaded photos, so that they take no seats from those who read libraries.
    let inspections: ConcurrencyLimiter
    /// Limits the inspections of originals for visitors of shared links.
    let visitorInspections: ConcurrencyLimiter
    /// The memory for catalogs in use, in bytes.
    let memory: Int
    private let lanes: (small: Lane, large: Lane)
    /// The lanes of the visitors of shared links, so that they use up neither the seats of owners nor their reading time.
    private let visitorLanes: (small: Lane, large: Lane)
    private let backoff: Backoff
    private let randomness: Randomness

    /// - Parameters:
    ///   - memory: the memory for all catalogs in use together, in bytes. Reads may briefly use two and a quarter times
    ///     as much in addition: reading takes about ten times the bytes of a catalog's files, so only libraries whose
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
        self.cache = LibraryCache(limit: memory / 8 * 7)
        self.memory = memory
        let budget = ReadTimeBudget(now: now)
        inspections = ConcurrencyLimiter(seats: 8, waiting: 400, budget: budget)
        renderings = ConcurrencyLimiter(
            seats: max(2, ProcessInfo.processInfo.activeProcessorCount), waiting: 400,
            perAccount: Self.renderingsPerAccount, budget: budget)
        let perAccount = Self.readsPerAccount
        lanes = (
            Lane(
                limiter: ConcurrencyLimiter(seats: 8, waiting: 400, perAccount: perAccount, budget: budget),
                sizes: .readable(memory / 160)),
            Lane(
                limiter: ConcurrencyLimiter(seats: 2, waiting: 50, perAccount: perAccount, budget: budget),
                sizes: .readable(memory / 20))
        )
        let visitorBudget = ReadTimeBudget(now: now)
        // A page loads several originals at once, and an account may have many visitors.
        visitorInspections = ConcurrencyLimiter(seats: 4, waiting: 200, perAccount: 32, budget: visitorBudget)
        visitorLanes = (
            Lane(
                limiter: ConcurrencyLimiter(seats: 4, waiting: 100, perAccount: 32, budget: visitorBudget),
                sizes: lanes.small.sizes),
            Lane(
                limiter: ConcurrencyLimiter(seats: 1, waiting: 100, perAccount: 32, budget: visitorBudget),
                sizes: lanes.large.sizes)
        )
    }

    /// Runs an operation that reads a library, within the limit of concurrent reads.
    /// - Parameters:
    ///   - forVisitor: Whether it is for a visitor of a shared link.
    ///   - isContinued: Whether it ends a call that has used reading time of the account.
    func read<Value: Sendable>(
        _ user: UserID, _ credentials: StorageCredentials, device: DeviceID, forVisitor: Bool = false,
        isContinued: Bool = false, _ act: (CatalogStore) async throws -> Value
    ) async throws(ServiceError) -> Value {
        let all = forVisitor ? visitorLanes : lanes
        let isLarge = (cache.library(of: user)?.newest.catalog.bytesInMemory ?? 0) > all.small.sizes.readable * 2
        var lanes = (isLarge ? [all.large] : [all.small, all.large])[...]
        while let lane = lanes.popFirst() {
            let catalogs = catalogs(user, credentials, device: device, sizes: lane.sizes)
            do {
                return try await lane.limiter.withPermit(for: user, isContinued: isContinued) {
                    try await act(catalogs)
                }
            } catch {
                guard Self.isTooLarge(error), !lanes.isEmpty else { throw ServiceError(error) }
            }
        }
        throw .catalogUnusable("larger than every memory limit")
    }

    private static func isTooLarge(_ error: any Error) -> Bool {
        switch error {
        case CatalogError.tooLarge, SelectionError.catalog(.tooLarge): true
        default: false
        }
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
        // A search keeps the version that it read in memory, and so do the places. The names are of that version.
        if library.shown?.name != shown.name { (library.found, library.places, library.names) = (nil, nil, nil) }
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
        trash = Timeline(trash: version.catalog.trash)
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
    /// The most used cameras of what it would find without its camera; `nil` if it has none.
    var otherCameras: [CameraName]?
    /// The kinds of what it would find without its kind; `nil` if it has none.
    var otherKinds: [MediaKind]?
}

/// The cached state of one user's library.
struct CachedLibrary: Sendable {
    var newest: CatalogStore.Version
    /// The library that the last page showed; uploads or other devices may have committed newer versions.
    var shown: OpenLibrary?
    var favorites: StoredDocument<Favorites>?
    var hidden: StoredDocument<HiddenPhotos>?
    var albums: StoredDocument<Albums>?
    var found: FoundPhotos?
    var places: LibraryPlaces?
    var names: LibraryNames?

    /// The approximate size in memory, in bytes.
    var cost: Int {
        var cost = 4096 + newest.catalog.bytesInMemory
        if let shown {
            cost += shown.photos.bytesInMemory + shown.trash.bytesInMemory + shown.entries.count * 4
            if shown.name != newest.head.name { cost += shown.version.catalog.bytesInMemory }
        }
        cost += (favorites?.document.bytesInMemory ?? 0) + (hidden?.document.bytesInMemory ?? 0)
        cost += (albums?.document.bytesInMemory ?? 0) + (places?.places.bytesInMemory ?? 0)
        cost += names?.bytesInMemory ?? 0
        if let found {
            cost += found.timeline.bytesInMemory
        }
        return cost
    }
}
