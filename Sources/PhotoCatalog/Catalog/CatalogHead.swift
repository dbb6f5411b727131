import NIOCore
import ObjectStorage

/// The snapshot that the pointer names, without the entries of its parts.
package struct CatalogHead: Sendable {
    /// `nil` if there is no snapshot.
    package let snapshot: ContentDigest?
    /// The ETag of the pointer that was read; `nil` if there is no pointer.
    package let pointer: ETag?
    /// The snapshot's own entries, and the list of its parts.
    package let file: CatalogFile
    /// The generation of the next snapshot. Within a generation each snapshot contains everything from the one before.
    /// A new or repaired catalog begins a new generation, so that devices check for lost entries.
    package let generation: ContentDigest

    /// An identifier that is unique to this snapshot.
    package var name: String { snapshot?.description ?? "none" }

    /// Returns whether the pointer names the snapshot of a plan. A snapshot without a pointer to it is not committed.
    func isCommitted(_ plan: CatalogPlan) -> Bool { pointer != nil && snapshot == plan.snapshot }

    /// Whether the catalog is empty.
    package var isEmpty: Bool { file.rows.isEmpty && file.parts.isEmpty }

    /// Bytes of the snapshot's entries and of all its parts.
    var bytes: Int64 { file.parts.reduce(Int64(file.rows.records.count * 150)) { $0 + $1.size } }
    /// The approximate number of entries.
    package var estimatedEntries: Int { Int(clamping: bytes / 150) }
}

extension ContentDigest {
    /// The generation of everything written before generations existed: the digest of no bytes.
    static let legacyGeneration = ContentDigest(of: ByteBuffer())
}
