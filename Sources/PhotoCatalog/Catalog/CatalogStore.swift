import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// A user's catalog in the store: files under the MD5 of their bytes, and a pointer to the newest snapshot.
///
/// A snapshot has entries of its own and may reference other files as its parts; the catalog is the join of them all.
/// There are no locks. A commit joins its changes into the snapshot's own entries, writes the new snapshot, and moves
/// the pointer only if it is still the one that was read; otherwise it reads the new snapshot and retries. The changes
/// of other devices are not needed for that, so the parts are not read. Superseded files are kept as history.
package struct CatalogStore: Sendable {
    /// A catalog with the snapshot that it was read from.
    package struct Version: Sendable {
        package let catalog: Catalog
        package let head: CatalogHead
        /// The parts that are included in `catalog`.
        let parts: Set<ContentDigest>
    }

    static let attempts = 32

    let store: any ObjectStore
    let user: UserID
    package let device: DeviceTag
    let cache: (any CatalogCache)?
    let recorder: (any TrashChangeRecorder)?
    let pause: Backoff
    let randomness: Randomness
    let sizes: CatalogSizes

    /// - Parameters:
    ///   - device: The device that is recorded as the author of changes.
    ///   - cache: Caches files on this device, so that they are not read again.
    ///   - recorder: Records the changes of this device that can be undone.
    ///   - pause: The backoff between attempts to update the catalog while other devices commit.
    package init(
        store: any ObjectStore, user: UserID, device: DeviceTag = .none, cache: (any CatalogCache)? = nil,
        recorder: (any TrashChangeRecorder)? = nil, pause: Backoff,
        randomness: Randomness = .system, sizes: CatalogSizes = CatalogSizes()
    ) {
        self.store = store
        self.user = user
        self.device = device
        self.cache = cache
        self.recorder = recorder
        self.pause = pause
        self.randomness = randomness
        self.sizes = sizes
    }

    /// Reads the newest snapshot without its parts; an empty one if nothing was ever committed. If the pointer is
    /// missing, or the first commit was interrupted, the newest snapshot is used with everything written since, and the
    /// next commit creates the pointer (see `mended`). Damage is an error in this case, too.
    package func head() async throws(CatalogError) -> CatalogHead {
        for attempt in 1...Self.attempts {
            guard let (digest, pointer) = try await readPointer() else { return try await headWithoutPointer() }
            if let top = try await readSnapshot(digest) {
                return CatalogHead(
                    snapshot: digest, pointer: pointer, file: top, generation: top.generation ?? .legacyGeneration)
            }
            // The pointer may have moved, and the snapshot may have been removed, between the two reads.
            guard let again = try await readPointer(), again.etag != pointer else { throw .snapshotMissing(digest) }
            await pause.wait(attempt: attempt)
        }
        throw .contended
    }

    /// Creates a generation with a random, unique id.
    func newGeneration() -> ContentDigest { ContentDigest(of: ByteBuffer(bytes: randomness.bytes(16))) }

    private func headWithoutPointer() async throws(CatalogError) -> CatalogHead {
        let salvage = try await salvage()
        if let damage = salvage.damage { throw damage }
        return try await repairedCatalog(with: salvage, over: nil).version.head
    }

    func readPointer() async throws(CatalogError) -> (digest: ContentDigest, etag: ETag)? {
        let found: StoredObject?
        do {
            found = try await store.get(ObjectKey(known: StorageLayout.catalogPointer(user)), limit: 256)
        } catch {
            switch error {
            case .tooLarge, .corrupted: throw .malformedPointer
            default: throw .store(error)
            }
        }
        guard let found else { return nil }
        // People edit files, so a line ending after the digest is accepted.
        let text = String(buffer: found.bytes).split(whereSeparator: \.isWhitespace)
        guard text.count == 1, let digest = ContentDigest(text[0]) else { throw .malformedPointer }
        return (digest, found.etag)
    }
}
