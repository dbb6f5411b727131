import NIOCore
import ObjectStorage

/// What the pointer names: the newest snapshot, as far as it is read without its parts.
package struct CatalogHead: Sendable {
    /// `nil` where there is none.
    let snapshot: ContentDigest?
    /// The pointer's version that it was read through; `nil` where there is no pointer.
    let pointer: ETag?
    /// The snapshot's own entries, and its parts.
    let file: CatalogFile
    /// The line of snapshots that the next one belongs to: each one holds all that the one before held. A catalog that
    /// begins, or that was mended, begins a new line, so that devices know when to look for what was lost.
    package let origin: ContentDigest

    /// A name that another snapshot does not have.
    package var name: String { snapshot?.description ?? "none" }

    /// Whether the pointer names what a plan says. A snapshot that nothing points at is nobody's commit.
    func isCommitted(_ plan: CatalogPlan) -> Bool { pointer != nil && snapshot == plan.snapshot }

    /// Whether there is nothing in it.
    var isEmpty: Bool { file.rows.isEmpty && file.parts.isEmpty }

    /// Bytes of the snapshot's entries and of all its parts.
    var bytes: Int64 { file.parts.reduce(Int64(file.rows.records.count * 150)) { $0 + $1.size } }
    /// About how many entries there are.
    var estimatedEntries: Int { Int(clamping: bytes / 150) }
}

extension ContentDigest {
    /// The line of all that was written before there were lines: the digest of nothing.
    static let firstOrigin = ContentDigest(of: ByteBuffer())
}
