/// Distinct contents with their lengths in bytes, sorted by MD5 for lookup.
package struct CatalogContents: Sendable, RandomAccessCollection {
    private let pairs: [(md5: ContentDigest, size: Int64)]

    init(_ catalog: Catalog, where isWanted: (CatalogRecord) -> Bool) {
        var sorted: [(md5: ContentDigest, size: Int64)] = []
        sorted.reserveCapacity(catalog.count)
        for record in catalog.records where isWanted(record) { sorted.append((record.md5, record.size)) }
        sorted.sort { $0.md5 == $1.md5 ? $0.size > $1.size : $0.md5 < $1.md5 }
        // Entries of one content should have the same length; if not, the largest counts.
        var different: [(md5: ContentDigest, size: Int64)] = []
        different.reserveCapacity(sorted.count)
        for pair in sorted where different.last?.md5 != pair.md5 { different.append(pair) }
        pairs = different
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { pairs.count }
    package subscript(index: Int) -> (md5: ContentDigest, size: Int64) { pairs[index] }

    /// Returns the length of a content in bytes; `nil` if it is not included.
    package subscript(md5: ContentDigest) -> Int64? {
        var (low, high) = (0, pairs.count)
        while low < high {
            let middle = (low + high) / 2
            if pairs[middle].md5 < md5 { low = middle + 1 } else { high = middle }
        }
        return low < pairs.count && pairs[low].md5 == md5 ? pairs[low].size : nil
    }
}

extension Catalog {
    /// Returns the number of entries in the library whose content is not one of these.
    package func count(without contents: Set<ContentDigest>) -> Int {
        records.count { $0.isPresent && !contents.contains($0.md5) }
    }
}
