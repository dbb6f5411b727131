import Accounts
import Foundation
import LibraryExport
import NIOCore
import ObjectStorage

/// An export that is being downloaded.
package struct ExportDownload: Sendable {
    package let export: PreparedExport
    let reader: ExportReader
    let permit: ExportLimits.Permit

    /// The entity tag: the bytes of an export never change.
    package var etag: String { "\"\(export.id.uuidString.lowercased())\"" }

    /// The name under which a browser saves it.
    package var fileName: String { "photolala-\(export.createdAt.ISO8601Format().prefix(10)).zip" }

    /// The approximate memory that a download takes, in bytes: the head, the catalog in it, and positions.
    static func cost(headSize: Int64, photos: Int) -> Int {
        (8 << 20) + 3 * Int(clamping: min(headSize, Int64(StoredExport.headLimit))) + 16 * photos
    }

    /// Returns the requested bytes.
    /// - Parameters:
    ///   - range: the `Range` header. Anything but one range of bytes is ignored (RFC 9110 section 14.2).
    ///   - condition: the `If-Range` header: the range applies only to this entity tag (section 13.1.5).
    /// - Returns: `nil` if the range begins after the end.
    package func offsets(range: String?, if condition: String?) -> (offsets: Range<Int64>, isPart: Bool)? {
        guard let range = range.flatMap(ByteRange.init(header:)), condition == nil || condition == etag else {
            return (0..<export.size, false)
        }
        return ByteRange.resolve(range, size: export.size).map { ($0, true) }
    }

    /// Produces the bytes of a range, in order.
    /// - Throws: the store's errors, and `sessionEnded` if the session has ended. The bytes so far are valid, and a
    ///   download of the rest continues them.
    package func read(_ range: Range<Int64>, _ emit: (ByteBuffer) async throws -> Void) async throws {
        try await reader.read(range, emit)
        withExtendedLifetime(permit) {}
    }
}
