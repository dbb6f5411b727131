import Foundation
import ObjectStorage
import PhotoLibrary
import PhotolalaAPI
import Secrets
import StorageAccess

/// What the flows of people's libraries share: how catalogs are read, and those that are in use now.
package struct Libraries: Sendable {
    /// The least memory that can be given for catalogs, in bytes.
    package static let leastMemory = 64 << 20

    /// Where catalogs up to a size are read, a bounded number at a time.
    struct Lane: Sendable {
        let room: ReadingRoom
        let sizes: CatalogSizes
    }

    let stores: any UserStores
    let links: any ObjectLinks
    let memory: LibraryMemory
    private let lanes: (small: Lane, large: Lane)
    private let pause: Backoff
    private let randomness: Randomness

    /// - Parameters:
    ///   - memory: for all catalogs that are in use together, in bytes. One and a half times as much again may be used for
    ///     a moment by those that are being read: that takes about ten times the bytes of a catalog's files, so no library
    ///     is read with more of them than a twentieth of this.
    ///   - pause: between attempts to move a catalog on while others do.
    package init(
        stores: any UserStores, links: any ObjectLinks, memory: Int, pause: Backoff, randomness: Randomness,
        now: @escaping @Sendable () -> Date
    ) {
        self.stores = stores
        self.links = links
        self.pause = pause
        self.randomness = randomness
        self.memory = LibraryMemory(limit: memory)
        let budget = ReadingBudget(now: now)
        lanes = (
            Lane(room: ReadingRoom(seats: 8, waiting: 400, budget: budget), sizes: .readable(memory / 160)),
            Lane(room: ReadingRoom(seats: 2, waiting: 50, budget: budget), sizes: .readable(memory / 20))
        )
    }

    /// The lanes in which a library may be tried.
    func lanes(for known: KnownLibrary?) -> [Lane] {
        let isLarge = (known?.newest.catalog.bytesInMemory ?? 0) > lanes.small.sizes.readable * 2
        return isLarge ? [lanes.large] : [lanes.small, lanes.large]
    }

    /// The catalog of a user, as that user's own credentials reach it.
    func catalogs(
        _ user: UserID, _ credentials: StorageCredentials, device: DeviceID, sizes: CatalogSizes
    ) -> CatalogStore {
        CatalogStore(
            store: stores.store(of: user, credentials), user: user,
            device: DeviceTag(deviceID: device.description), pause: pause, randomness: randomness, sizes: sizes)
    }

    /// Keeps a user's newest catalog.
    func keep(_ version: CatalogStore.Version, of user: UserID) {
        memory.keep(KnownLibrary(newest: version, shown: memory.library(of: user)?.shown), of: user)
    }

    /// Keeps what a page shows now.
    func keep(shown library: OpenLibrary, of user: UserID) {
        memory.keep(KnownLibrary(newest: memory.library(of: user)?.newest ?? library.version, shown: library), of: user)
    }
}

extension CatalogSizes {
    fileprivate static func readable(_ bytes: Int) -> CatalogSizes {
        var sizes = CatalogSizes()
        sizes.readable = min(Int64(bytes), sizes.readable)
        sizes.salvageable = sizes.readable
        // A seat is not to be held for ever by what is small but in many pieces.
        sizes.parts = 2000
        sizes.salvageableFiles = 2000
        return sizes
    }
}

/// A library as its owner looks through it.
package struct OpenLibrary: Sendable {
    let version: CatalogStore.Version
    package let photos: Timeline
    package let trash: Timeline

    init(_ version: CatalogStore.Version) {
        self.version = version
        photos = Timeline(version.catalog.entries)
        trash = Timeline(version.catalog.trash)
    }

    /// Changes with everything that is committed.
    package var name: String { version.head.name }
}

/// What is in memory of one user's library.
struct KnownLibrary: Sendable {
    let newest: CatalogStore.Version
    /// What the last page has shown: photos that are being brought, or devices, may have moved on from there.
    let shown: OpenLibrary?

    /// Bytes, about.
    var cost: Int {
        var cost = 4096 + newest.catalog.bytesInMemory
        if let shown {
            cost += shown.photos.bytesInMemory + shown.trash.bytesInMemory
            if shown.name != newest.head.name { cost += shown.version.catalog.bytesInMemory }
        }
        return cost
    }
}
