/// Entries of a library as people see them, made one by one as they are asked for.
///
/// Where several contents stand at one path, the one with the newer modification date has the name. The others are shown
/// beside it, marked `conflict` and the beginning of their MD5; so are those whose path is a folder of others. These names
/// are made in `Catalog+Beside.swift` and stored nowhere. No two entries have one path.
package struct CatalogEntries: Sendable, RandomAccessCollection {
    let catalog: Catalog
    /// The records' places in the order in which they are shown.
    let order: [UInt32]
    private let renamed: [UInt32: LibraryPath]

    package var startIndex: Int { 0 }
    package var endIndex: Int { order.count }

    package subscript(index: Int) -> CatalogEntry {
        catalog.entry(at: Int(order[index]), shownAs: renamed[order[index]])
    }

    /// Which entry is shown there: its path is another one where it is shown beside another.
    func name(at index: Int) -> LibraryEntryName { catalog.name(at: Int(order[index])) }

    /// The bytes of a path as it is shown.
    func withPath<Result>(_ index: Int, _ work: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if !renamed.isEmpty, var path = renamed[order[index]]?.description { return path.withUTF8(work) }
        let range = catalog.records[Int(order[index])].pathRange
        return catalog.text.withUnsafeBufferPointer { work(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// About how much memory it takes beside its catalog.
    var bytesInMemory: Int { order.count * 4 + renamed.reduce(0) { $0 + 64 + $1.value.description.utf8.count } }

    /// Some of these entries, or all in another order.
    func reordered(_ order: [UInt32]) -> CatalogEntries {
        CatalogEntries(catalog: catalog, order: order, renamed: renamed)
    }

    private init(catalog: Catalog, order: [UInt32], renamed: [UInt32: LibraryPath]) {
        (self.catalog, self.order, self.renamed) = (catalog, order, renamed)
    }

    init(trashOf catalog: Catalog) {
        let isShown = { (place: UInt32) in
            catalog.records[Int(place)].isInTrash
        }
        self.init(catalog: catalog, order: (0..<UInt32(catalog.records.count)).filter(isShown), renamed: [:])
    }

    init(_ catalog: Catalog) {
        self.catalog = catalog
        let (named, others) = catalog.namedAndOthers()
        let shown = others.map { (place: $0, path: catalog.placeBeside(Int($0))) }.sorted { $0.path < $1.path }
        renamed = Dictionary(shown.map { ($0.place, $0.path) }, uniquingKeysWith: { first, _ in first })
        guard !shown.isEmpty else {
            order = named
            return
        }
        var order: [UInt32] = []
        order.reserveCapacity(named.count + shown.count)
        var rest = shown[...]
        for place in named {
            while let next = rest.first, next.path < catalog.path(at: Int(place)) {
                order.append(next.place)
                rest.removeFirst()
            }
            order.append(place)
        }
        self.order = order + rest.map(\.place)
    }
}

extension Catalog {
    /// The places of the contents that have their path's name, and of those that stand beside them.
    fileprivate func namedAndOthers() -> (named: [UInt32], others: [UInt32]) {
        var (named, others) = ([UInt32](), [UInt32]())
        named.reserveCapacity(count)
        withPaths { paths in
            for (index, record) in paths.records.enumerated() where record.isAlive {
                guard let last = named.last, records[Int(last)].pathLength == record.pathLength,
                    paths[Int(last)].compared(to: paths[index]) == 0
                else {
                    named.append(UInt32(index))
                    continue
                }
                let isNewer = records[Int(last)].yields(to: record)
                others.append(isNewer ? last : UInt32(index))
                if isNewer { named[named.count - 1] = UInt32(index) }
            }
        }
        let hidden = placesOfFolders
        guard !hidden.isEmpty else { return (named, others) }
        return (named.filter { !hidden.contains($0) }, others + named.filter(hidden.contains))
    }
}
