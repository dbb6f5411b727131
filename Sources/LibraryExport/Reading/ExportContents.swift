import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// Reads the photos of an export from a store.
package struct ExportContents: Sendable {
    private let user: UserID
    private let fillsArchived: Bool
    private let store: @Sendable () async throws -> any ObjectStore

    /// - Parameters:
    ///   - fillsArchived: Whether zeros replace an archived photo; if not, it is an error.
    ///   - store: Returns the user's store. Called for each photo, because credentials expire.
    package init(
        user: UserID, fillsArchived: Bool, store: @escaping @Sendable () async throws -> any ObjectStore
    ) {
        (self.user, self.fillsArchived, self.store) = (user, fillsArchived, store)
    }

    /// Reads a range of a photo. Zeros replace bytes that the store does not have or cannot read, so that the archive
    /// keeps its layout; the photo's digests tell that it is damaged.
    /// - Returns: Whether the store has the photo.
    /// - Throws: The store's other errors, such as `unavailable`.
    @discardableResult
    package func read(
        _ item: ExportItem, _ range: Range<Int64>, _ emit: (ByteBuffer) async throws -> Void
    ) async throws -> Bool {
        var (remaining, isStored) = (range.upperBound - range.lowerBound, true)
        guard remaining > 0 else { return true }
        do {
            let key = ObjectKey(known: StorageLayout.photo(user, md5: "\(item.entry.md5)"))
            // Always a range: the object may have become larger.
            let part = ByteRange.closed(first: range.lowerBound, last: range.upperBound - 1)
            if let object = try await store().read(key, range: part) {
                for try await var bytes in object.body {
                    if Int64(bytes.readableBytes) > remaining {
                        bytes = bytes.readSlice(length: Int(remaining)) ?? ByteBuffer()
                    }
                    remaining -= Int64(bytes.readableBytes)
                    try await emit(bytes)
                    if remaining == 0 { break }
                }
            } else {
                isStored = false
            }
        } catch let error as ObjectStoreError {
            switch error {
            case .corrupted, .rangeNotSatisfiable: break
            case .archived where fillsArchived: break
            default: throw error
            }
        }
        let zeros = ByteBuffer(repeating: 0, count: Int(min(remaining, 64 << 10)))
        while remaining > 0 {
            var piece = zeros
            if remaining < Int64(piece.readableBytes) {
                piece = piece.readSlice(length: Int(remaining)) ?? ByteBuffer()
            }
            remaining -= Int64(piece.readableBytes)
            try await emit(piece)
        }
        return isStored
    }

    /// Reads a photo and computes its digests.
    /// - Returns: The digests, and the bytes of a photo of at most 4 MiB, which need not be read again.
    func digest(of item: ExportItem) async throws -> (digest: PhotoDigest, bytes: ByteBuffer?) {
        var hasher = PhotoHasher()
        var kept = item.size <= 4 << 20 ? ByteBuffer() : nil
        kept?.reserveCapacity(Int(clamping: min(item.size, 4 << 20)))
        try await read(item, 0..<item.size) { bytes in
            hasher.update(bytes)
            kept?.writeImmutableBuffer(bytes)
        }
        return (hasher.digest(expecting: item.entry.md5), kept)
    }
}
