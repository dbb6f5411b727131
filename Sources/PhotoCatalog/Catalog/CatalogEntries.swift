/// The entries of a library as users see them, created on access.
///
/// If several contents have the same path, the one with the newer modification date is shown under it. The others are
/// shown beside it, with `conflict` and the first digits of their MD5 in the name. The same applies to an entry whose
/// path is also a folder. These names are made in `Catalog+Beside.swift` and are not stored. No two entries have the
/// same path.
package struct CatalogEntries: Sendable, RandomAccessCollection {
    package let catalog: Catalog
    /// The indices of the records, in the order in which they are shown.
    package let order: [UInt32]
    private let renamed: [UInt32: LibraryPath]

    package var startIndex: Int { 0 }
    package var endIndex: Int { order.count }

    package subscript(index: Int) -> CatalogEntry {
        catalog.entry(at: Int(order[index]), shownAs: renamed[order[index]])
    }

    /// Returns the identity of the entry at an index. Its path differs from the shown one if it is shown beside another
    /// entry.
    package func identity(at index: Int) -> EntryIdentity { catalog.identity(at: Int(order[index])) }

    /// Calls a closure with the bytes of a path as it is shown.
    func withPath<Result>(_ index: Int, _ work: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if !renamed.isEmpty, var path = renamed[order[index]]?.description { return path.withUTF8(work) }
        let range = catalog.records[Int(order[index])].pathRange
        return catalog.text.withUnsafeBufferPointer { work(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Returns the paths of entries, as they are shown, and of folders that end with a text.
    package func paths(endingWith suffix: String) -> Set<LibraryPath> {
        let suffix = Array(suffix.utf8)
        let folder = suffix + [UInt8(ascii: "/")]
        var found: Set<LibraryPath> = []
        for index in indices {
            let (isFile, isInFolder) = withPath(index) { path in
                (path.suffix(suffix.count).elementsEqual(suffix), path.firstRange(of: folder) != nil)
            }
            guard isFile || isInFolder else { continue }
            let path = self[index].path
            if isFile { found.insert(path) }
            if isInFolder {
                found.formUnion(
                    path.ancestors.filter { $0.description.utf8.suffix(suffix.count).elementsEqual(suffix) })
            }
        }
        return found
    }

    /// Returns all paths of a content, as they are shown.
    package func paths(of md5: ContentDigest) -> [LibraryPath] {
        let found = catalog.records.withUnsafeBufferPointer { records in
            order.indices.filter { records[Int(order[$0])].md5 == md5 }
        }
        return found.map { self[$0].path }
    }

    /// Returns the paths of all folders.
    package func folders() -> Set<LibraryPath> {
        var found: Set<LibraryPath> = []
        for entry in self {
            for folder in entry.path.ancestors where !found.insert(folder).inserted { break }
        }
        return found
    }

    /// The approximate number of bytes in memory, without the catalog.
    var bytesInMemory: Int { order.count * 4 + renamed.reduce(0) { $0 + 64 + $1.value.description.utf8.count } }

    /// Returns some of these entries, or all in another order.
    package func reordered(_ order: [UInt32]) -> CatalogEntries {
        CatalogEntries(catalog: catalog, order: order, renamed: renamed)
    }

    private init(catalog: Catalog, order: [UInt32], renamed: [UInt32: LibraryPath]) {
        (self.catalog, self.order, self.renamed) = (catalog, order, renamed)
    }

    init(trashOf catalog: Catalog) {
        let isShown = { (index: UInt32) in
            catalog.records[Int(index)].isInTrash
        }
        self.init(catalog: catalog, order: (0..<UInt32(catalog.records.count)).filter(isShown), renamed: [:])
    }

    init(_ catalog: Catalog) {
        self.catalog = catalog
        let (named, others) = catalog.namedAndOthers()
        let shown = others.map { (index: $0, path: catalog.alternativePath(Int($0))) }.sorted { $0.path < $1.path }
        renamed = Dictionary(shown.map { ($0.index, $0.path) }, uniquingKeysWith: { first, _ in first })
        guard !shown.isEmpty else {
            order = named
            return
        }
        var order: [UInt32] = []
        order.reserveCapacity(named.count + shown.count)
        var remaining = shown[...]
        for index in named {
            while let next = remaining.first, next.path < catalog.path(at: Int(index)) {
                order.append(next.index)
                remaining.removeFirst()
            }
            order.append(index)
        }
        self.order = order + remaining.map(\.index)
    }
}

extension Catalog {
    /// Returns the indices of the contents shown under their own path, and of those shown beside them.
    fileprivate func namedAndOthers() -> (named: [UInt32], others: [UInt32]) {
        var (named, others) = ([UInt32](), [UInt32]())
        named.reserveCapacity(count)
        withPaths { paths in
            for (index, record) in paths.records.enumerated() where record.isPresent {
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
        let hidden = entriesAtFolderPaths
        guard !hidden.isEmpty else { return (named, others) }
        return (named.filter { !hidden.contains($0) }, others + named.filter(hidden.contains))
    }
}
