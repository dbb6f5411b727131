/// Which photos of a library are meant, by what its catalog tells of them; what is left out is not asked about.
package struct PhotoSelection: Sendable, Equatable {
    /// Photos at these paths as they are shown, and all that is in folders at them; any where there are none.
    package var paths: [String] = []
    /// Dated at this time or later, by what clocks showed where it was taken or, unknown, by when the file was last changed,
    /// in UTC. The time of a clock is given as if it were UTC.
    package var from: Timestamp?
    /// Dated before this time.
    package var before: Timestamp?
    /// Of one of these kinds; of any where there are none.
    package var kinds: [MediaKind] = []
    package var name: NamePattern?
    /// With one of these contents, wherever it stands; with any where there are none.
    package var contents: Set<ContentDigest> = []
    /// Bytes, both ends included.
    package var sizes: ClosedRange<Int64> = 0...Int64.max

    package init() {}

    /// Whether every photo is meant.
    package var isEverything: Bool { self == PhotoSelection() }
}

/// A selection made ready for the records of one catalog, so that each is judged by numbers and bytes.
struct PhotoTest {
    private let from: Timestamp?
    private let before: Timestamp?
    private let sizes: ClosedRange<Int64>
    private let name: NamePattern?
    private let contents: Set<ContentDigest>
    /// For each of the catalog's types whether it is wanted; `nil` where all are.
    private let types: [Bool]?

    init(_ selection: PhotoSelection, types: [MediaType]) {
        (from, before, sizes, name) = (selection.from, selection.before, selection.sizes, selection.name)
        contents = selection.contents
        let kinds = selection.kinds
        self.types = kinds.isEmpty ? nil : types.map { type in kinds.contains { $0.includes(type) } }
    }

    /// - Parameter path: as it is shown.
    func passes(_ record: CatalogRecord, path: UnsafeBufferPointer<UInt8>) -> Bool {
        guard sizes.contains(record.size) else { return false }
        if let types, !types[Int(record.type)] { return false }
        if from != nil || before != nil {
            let date = record.date
            if let from, date < from { return false }
            if let before, date >= before { return false }
        }
        if !contents.isEmpty, !contents.contains(record.md5) { return false }
        guard let name else { return true }
        let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        return name.matches(UnsafeBufferPointer(rebasing: path[start...]))
    }
}
