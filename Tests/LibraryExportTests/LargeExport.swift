import Foundation
import NIOCore
import PhotoCatalog
import PhotolalaAPI
import Testing

@testable import LibraryExport

/// An export of photos whose bytes are not read: all their digests are stored.
struct LargeExport {
    let plan: ExportPlan
    let fixture: ExportFixture

    init(sizes: [Int64]) throws {
        fixture = try ExportFixture()
        var entries: [CatalogEntry] = []
        for (index, size) in sizes.enumerated() {
            entries.append(
                CatalogEntry(
                    path: try #require(LibraryPath("\(index).jpg")), md5: ContentDigest(high: 1, low: UInt64(index)),
                    size: size, modified: Timestamp(seconds: 1_714_000_000, nanoseconds: 0), type: .jpeg,
                    media: MediaFacts()))
        }
        let description = ExportDescription(
            account: fixture.user, created: Date(timeIntervalSince1970: 1_780_000_000), assembledBy: .server,
            signatureSize: try fixture.digests.sign(String(repeating: "0", count: 64), of: fixture.user).utf8.count)
        plan = try ExportPlan(description, files: [], catalog: Catalog(of: entries), stored: StoreDifferences())
        var block = ByteBuffer()
        for _ in sizes {
            block.writeInteger(UInt8(0))
            block.writeRepeatingByte(1, count: 36)
        }
        let stored = block
        fixture.digests.blocks.withLock { $0[0] = stored }
    }

    /// Writes everything except the bytes of the photos.
    func writeSparse(to file: URL) async throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        var position: Int64 = 0
        for index in 0..<plan.items.count {
            let entry = plan.items[index].photoEntry
            let start = plan.starts[index] + Int64(entry.headerSize)
            try handle.seek(toOffset: UInt64(position))
            try handle.write(contentsOf: try await fixture.bytes(plan, position..<start))
            position = start + entry.size
        }
        try handle.seek(toOffset: UInt64(position))
        try handle.write(contentsOf: try await fixture.bytes(plan, position..<plan.size))
        try handle.close()
    }
}
