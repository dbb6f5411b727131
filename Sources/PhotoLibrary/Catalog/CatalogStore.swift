import Crypto
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// A user's catalog in the store: snapshots under the MD5 of their bytes, and the pointer that names the newest.
///
/// Nobody holds a lock. A commit writes a snapshot and moves the pointer only if it still is the one that was read;
/// whoever comes second reads what is there now, merges and tries again. Snapshots are left behind as history.
package struct CatalogStore: Sendable {
    /// A catalog and the pointer's version that it was read through.
    package struct Version: Sendable {
        package let catalog: Catalog
        let snapshot: ContentDigest?
        let pointer: ETag?
    }

    /// The outcome of a commit.
    package struct Committed: Sendable {
        package let version: Version
        package let conflicts: [CatalogConflict]
    }

    /// A catalog may have this many bytes.
    package static let sizeLimit: Int64 = 1 << 30
    private static let attempts = 32

    let store: any ObjectStore
    let user: UserID
    private let pause: Backoff

    package init(store: any ObjectStore, user: UserID, pause: Backoff) {
        self.store = store
        self.user = user
        self.pause = pause
    }

    /// The newest catalog; an empty one when none was ever committed. Where the pointer is gone, or its first commit was
    /// interrupted, the newest snapshot that can be read counts, and the next commit points on from there.
    package func load() async throws(CatalogError) -> Version {
        for attempt in 1...Self.attempts {
            guard let (digest, pointer) = try await readPointer() else {
                return Version(catalog: try await newestReadable()?.catalog ?? Catalog(), snapshot: nil, pointer: nil)
            }
            if let catalog = try await readSnapshot(digest) {
                return Version(catalog: catalog, snapshot: digest, pointer: pointer)
            }
            // The pointer may have moved on and the snapshot been cleared away between the two reads.
            guard let again = try await readPointer(), again.etag != pointer else { throw .snapshotMissing(digest) }
            await pause.wait(attempt: attempt)
        }
        throw .contended
    }

    /// Merges changes into the newest catalog and commits it. What `version` holds is used while it is the newest.
    package func commit(
        _ changes: [CatalogChange], onto version: Version
    ) async throws(CatalogError) -> Committed {
        var base = version
        for attempt in 1...Self.attempts {
            var catalog = base.catalog
            let conflicts = catalog.merge(changes)
            // A snapshot that nothing points at is not committed, even if it holds all changes.
            let isCommitted = base.pointer != nil || catalog.count == 0
            if catalog == base.catalog, isCommitted { return Committed(version: base, conflicts: conflicts) }
            if let moved = try await publish(catalog, over: base) {
                return Committed(version: moved, conflicts: conflicts)
            }
            await pause.wait(attempt: attempt)
            base = try await load()
        }
        throw .contended
    }

    /// Writes a snapshot and moves the pointer to it; `nil` when the pointer was not the one that was read.
    func publish(_ catalog: Catalog, over base: Version) async throws(CatalogError) -> Version? {
        let bytes = CatalogCSV.encode(catalog)
        let digest = ContentDigest(of: bytes)
        let snapshotKey = ObjectKey(known: StorageLayout.catalogSnapshot(user, md5: digest.description))
        let pointerKey = ObjectKey(known: StorageLayout.catalogPointer(user))
        do {
            let attributes = ["content-type": "text/csv; charset=utf-8", "content-md5": digest.base64]
            try await store.write(snapshotKey, ObjectBody(bytes), attributes: attributes, if: .always)
            let pointer = try await store.put(
                pointerKey, ByteBuffer(string: digest.description), if: base.pointer.map { .matches($0) } ?? .absent
            )
            return Version(catalog: catalog, snapshot: digest, pointer: pointer)
        } catch {
            switch error {
            // After a lost answer the pointer may be ours already: reading it again tells.
            case .preconditionFailed, .conflict, .outcomeUnknown: return nil
            default: throw .store(error)
            }
        }
    }

    private func readPointer() async throws(CatalogError) -> (digest: ContentDigest, etag: ETag)? {
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

    func readSnapshot(_ digest: ContentDigest) async throws(CatalogError) -> Catalog? {
        let reading: ObjectReading?
        do {
            reading = try await store.read(
                ObjectKey(known: StorageLayout.catalogSnapshot(user, md5: digest.description)), range: nil
            )
        } catch {
            if case .corrupted = error { throw .snapshotDamaged(digest) }
            throw .store(error)
        }
        guard let reading else { return nil }
        guard reading.info.size <= Self.sizeLimit else { throw .tooLarge }
        var hasher = Insecure.MD5()
        var decoder = CatalogCSV.Decoder()
        var problem: CatalogError?
        do {
            for try await chunk in reading.body {
                hasher.update(chunk)
                if problem == nil { problem = decoder.problem(consuming: chunk) }
            }
        } catch let error as ObjectStoreError {
            throw .store(error)
        } catch {
            throw .store(.unavailable("\(error)"))
        }
        // Damage first: a row that cannot be read may be only its consequence.
        guard ContentDigest(hasher.finalize()) == digest else { throw .snapshotDamaged(digest) }
        if let problem { throw problem }
        return try decoder.finish()
    }
}

extension CatalogCSV.Decoder {
    fileprivate mutating func problem(consuming bytes: ByteBuffer) -> CatalogError? {
        do {
            try consume(bytes)
            return nil
        } catch {
            return error
        }
    }
}
