import NIOCore

/// Keeps what was computed for an export, so that a download that continues does not read the photos again.
package protocol DigestStore: Sendable {
    /// Returns the digests of a block of photos, or `nil` if they are not stored.
    func digests(ofBlock block: Int) async throws -> ByteBuffer?
    func store(_ digests: ByteBuffer, ofBlock block: Int) async throws
    /// Returns the export's signature: the stored one or, if there is none, a new one, which is stored. Signatures are
    /// random, and every download must have the same bytes.
    /// - Parameter manifest: Returns the SHA-256 of the manifest, in hex. Called only if no signature is stored.
    func signature(of manifest: () async throws -> String) async throws -> String
}

/// The digests of an export's photos, in their order: stored ones, or computed from the photos.
struct DigestCursor {
    let items: ExportItems
    let contents: ExportContents
    let store: any DigestStore
    private var block = -1
    private var digests: [PhotoDigest?] = []

    init(_ items: ExportItems, _ contents: ExportContents, _ store: any DigestStore) {
        (self.items, self.contents, self.store) = (items, contents, store)
    }

    /// Returns the digests of a photo if they are known.
    mutating func known(_ index: Int) async throws -> PhotoDigest? {
        try await load(index / PhotoDigest.blockSize)
        return digests[index % PhotoDigest.blockSize]
    }

    /// Returns the digests of a photo, which is read if they are not known.
    mutating func digest(_ index: Int) async throws -> PhotoDigest {
        if let known = try await known(index) { return known }
        let digest = try await contents.digest(of: items[index]).digest
        try await add(digest, index, size: items[index].size)
        return digest
    }

    /// Adds the digests of a photo. Stores those of its block when all are known, or when those of a large photo are:
    /// a client that waited too long for them finds them the next time.
    mutating func add(_ digest: PhotoDigest, _ index: Int, size: Int64) async throws {
        try await load(index / PhotoDigest.blockSize)
        guard digests[index % PhotoDigest.blockSize] == nil else { return }
        digests[index % PhotoDigest.blockSize] = digest
        guard size >= Self.largeSize || digests.allSatisfy({ $0 != nil }) else { return }
        try await store.store(PhotoDigest.stored(digests), ofBlock: block)
    }

    /// The size of a photo whose digests are stored at once, in bytes.
    private static let largeSize: Int64 = 256 << 20

    private mutating func load(_ wanted: Int) async throws {
        guard block != wanted else { return }
        let count = min(PhotoDigest.blockSize, items.count - wanted * PhotoDigest.blockSize)
        var loaded = [PhotoDigest?](repeating: nil, count: count)
        let stored = try await store.digests(ofBlock: wanted)
        if var bytes = stored, bytes.readableBytes == count * PhotoDigest.storedSize {
            for index in 0..<count { loaded[index] = PhotoDigest(stored: &bytes) }
        }
        (block, digests) = (wanted, loaded)
    }
}
