import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// A catalog as written before snapshots had timestamps and parts.
package enum LegacyCatalog {
    package static let header = "path,md5,size,modified,taken,type\n"

    /// Returns a snapshot of `count` photos, `0/a.jpg` and so on, with seeded digests from 1.
    package static func snapshot(of count: Int) throws -> ByteBuffer {
        var text = header
        for number in 0..<count {
            let md5 = try ContentDigest.seeded(number + 1)
            text += "\(number)/a.jpg,\(md5),\(number),2024-01-02T03:04:05Z,,image/jpeg\n"
        }
        return ByteBuffer(string: text)
    }
}

extension ObjectStore {
    /// Stores a catalog snapshot of Bob's and points the catalog's pointer to it.
    /// - Returns: The digest of the snapshot.
    @discardableResult
    package func putSnapshot(_ bytes: ByteBuffer) async throws -> ContentDigest {
        let digest = ContentDigest(of: bytes)
        let snapshot = ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: digest.description))
        _ = try await put(snapshot, bytes, if: .always)
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))
        _ = try await put(pointer, ByteBuffer(string: digest.description), if: .always)
        return digest
    }
}
