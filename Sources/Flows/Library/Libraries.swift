import Foundation
import ObjectStorage
import PhotoLibrary
import PhotolalaAPI
import Secrets
import StorageAccess
import Synchronization

/// What the flows of people's libraries share: how catalogs are read, and those that are in use now.
package struct Libraries: Sendable {
    /// The least memory that can be given for catalogs, in bytes.
    package static let leastMemory = 16 << 20

    let links: any ObjectLinks
    let open: RecentValues<UserID, OpenLibrary>
    let credentials = RecentValues<CredentialKey, HeldCredentials>(limit: 4096)
    let reading: ReadingRoom
    private let memory: Int
    private let pause: Backoff
    private let randomness: Randomness

    /// - Parameters:
    ///   - memory: for all catalogs that are in use together, in bytes. As much again may be used for a moment by those that
    ///     are being read.
    ///   - pause: between attempts to move a catalog on while others do.
    package init(links: any ObjectLinks, memory: Int, pause: Backoff, randomness: Randomness) {
        self.links = links
        self.memory = memory
        self.pause = pause
        self.randomness = randomness
        open = RecentValues(limit: memory)
        reading = ReadingRoom(limit: memory)
    }

    /// The catalog of a user, as that user's own credentials reach it.
    func catalogs(
        _ user: UserID, _ store: any ObjectStore, device: DeviceID, access: StorageAccessLevel
    ) -> CatalogStore {
        var sizes = CatalogSizes()
        sizes.readable = Int64(memory / OpenLibrary.bytesPerByte)
        return CatalogStore(
            store: UserObjectStore(store, policy: UserStoragePolicy(user: user, access: access)), user: user,
            device: DeviceTag(deviceID: device.description), pause: pause, randomness: randomness, sizes: sizes)
    }
}

/// A library as its owner looks through it.
package struct OpenLibrary: Sendable {
    /// So many bytes of memory a byte of a catalog's files takes while it is read, about.
    static let bytesPerByte = 3

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

    /// Bytes, about.
    var cost: Int { version.catalog.bytesInMemory + (photos.photos.count + trash.photos.count) * 16 + 4096 }
}

/// Bounds what is read into memory at one time.
final class ReadingRoom: Sendable {
    private let limit: Int
    private let taken = Mutex(0)

    init(limit: Int) { self.limit = limit }

    /// - Throws: `unavailable` while others fill it.
    func reading<Value>(
        _ bytes: Int, _ read: () async throws(FlowError) -> Value
    ) async throws(FlowError) -> Value {
        let isFree = taken.withLock { taken in
            guard taken == 0 || taken + bytes <= limit else { return false }
            taken += bytes
            return true
        }
        guard isFree else { throw .unavailable("limits.libraryBytes is taken by catalogs that are being read") }
        defer { taken.withLock { $0 -= bytes } }
        return try await read()
    }
}
