import Accounts
import Foundation
import LibraryExport
import NIOCore
import ObjectStorage
import PhotoCatalog

/// An export that is being downloaded.
package struct ExportDownload: Sendable {
    package let export: PreparedExport
    let stored: StoredExport
    let library: LibraryService
    let contents: ExportContents
    let digests: StoredExportDigests
    let access: ExportAccess
    let permit: ExportLimits.Permit

    /// The entity tag: the bytes of an export never change.
    package var etag: String { "\"\(export.id)\"" }

    /// The name under which a browser saves it.
    package var fileName: String { "photolala-\(export.createdAt.ISO8601Format().prefix(10)).zip" }

    /// The approximate memory that a download takes, in bytes: the head, the catalog in it, and positions.
    static func cost(of export: PreparedExport) -> Int {
        (8 << 20) + 3 * Int(clamping: min(export.headSize, Int64(ExportPlan.maximumHead))) + 16 * export.photos
    }

    /// The approximate memory that creating an export takes, in bytes.
    static func cost(of catalog: Catalog) -> Int { (16 << 20) + 10 * catalog.bytesInMemory }

    /// The approximate memory that the account's files take for a device, in bytes.
    static let filesCost = 48 << 20

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

    /// Reads the head, from which every byte can be produced.
    /// - Throws: `notFound` if the head is of another version of the service, which laid the archive out differently.
    package func open() async throws(ServiceError) -> OpenExport {
        let caller = try await access.caller()
        guard let head = try await mapServiceErrors({ try await stored.head() }) else { throw .notFound }
        // Takes computing time, which is limited for each account.
        let plan = try await library.readLibrary(caller) { _ in try await ExportPlan(head: head) }
        guard plan.size == export.size else { throw .notFound }
        return OpenExport(
            reader: ExportReader(plan, contents: contents, digests: digests), access: access, permit: permit)
    }
}

/// An export whose bytes are produced.
package struct OpenExport: Sendable {
    let reader: ExportReader
    let access: ExportAccess
    let permit: ExportLimits.Permit

    /// Produces the bytes of a range, in order.
    /// - Throws: the store's errors, and `sessionEnded` within a minute after the session has ended. The bytes so far are
    ///   valid, and a download of the rest continues them.
    package func read(_ range: Range<Int64>, _ emit: (ByteBuffer) async throws -> Void) async throws {
        try await reader.read(range) { bytes in
            _ = try await access.caller()
            try await emit(bytes)
        }
        withExtendedLifetime(permit) {}
    }
}
