import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// A user's catalog in the store: files under the MD5 of their bytes, and the pointer that names the newest snapshot.
///
/// A snapshot has entries of its own and may name other files as its parts; the catalog is the join of them all. Nobody
/// holds a lock. A commit joins its changes into the snapshot's own entries, writes the new snapshot and moves the
/// pointer only if it still is the one that was read; whoever comes second reads what is there now and tries again. What
/// others have said need not be known for that, so the parts are not read. Files are left behind as history.
package struct CatalogStore: Sendable {
    /// A catalog and the snapshot that it was read from.
    package struct Version: Sendable {
        package let catalog: Catalog
        package let head: CatalogHead
        /// The parts that are in `catalog`.
        let parts: Set<ContentDigest>
    }

    static let attempts = 32

    let store: any ObjectStore
    let user: UserID
    let device: DeviceTag
    let cache: CatalogCache?
    let pause: Backoff
    let randomness: Randomness
    let sizes: CatalogSizes

    /// - Parameters:
    ///   - device: whose changes are committed.
    ///   - cache: keeps files on this device, so that they are not read again.
    ///   - pause: between attempts to move the catalog on while others do.
    package init(
        store: any ObjectStore, user: UserID, device: DeviceTag = .none, cache: CatalogCache? = nil, pause: Backoff,
        randomness: Randomness = .system, sizes: CatalogSizes = CatalogSizes()
    ) {
        self.store = store
        self.user = user
        self.device = device
        self.cache = cache
        self.pause = pause
        self.randomness = randomness
        self.sizes = sizes
    }

    /// The newest snapshot without its parts; an empty one when none was ever committed. Where the pointer is gone, or
    /// its first commit was interrupted, the newest snapshot counts with all that was written since, and the next commit
    /// points on from there, as `mended` says; what is damaged then is an error, as it is behind a pointer.
    package func head() async throws(CatalogError) -> CatalogHead {
        for attempt in 1...Self.attempts {
            guard let (digest, pointer) = try await readPointer() else { return try await headWithoutPointer() }
            if let top = try await readTop(digest) {
                return CatalogHead(
                    snapshot: digest, pointer: pointer, file: top, origin: top.origin ?? .firstOrigin)
            }
            // The pointer may have moved on and the snapshot been cleared away between the two reads.
            guard let again = try await readPointer(), again.etag != pointer else { throw .snapshotMissing(digest) }
            await pause.wait(attempt: attempt)
        }
        throw .contended
    }

    /// A line of snapshots that nobody has seen.
    func newOrigin() -> ContentDigest { ContentDigest(of: ByteBuffer(bytes: randomness.bytes(16))) }

    private func headWithoutPointer() async throws(CatalogError) -> CatalogHead {
        let salvage = try await salvage()
        if let damage = salvage.damage { throw damage }
        return try await mended(with: salvage, over: nil).version.head
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
        // People edit files: a line end behind the digest is no reason to refuse it.
        let text = String(buffer: found.bytes).split(whereSeparator: \.isWhitespace)
        guard text.count == 1, let digest = ContentDigest(text[0]) else { throw .malformedPointer }
        return (digest, found.etag)
    }
}
