import NIOCore
import ObjectStorage

/// The files that a commit is about to write: parts first, then the snapshot that references them.
struct CatalogPlan: Sendable {
    let parts: [(digest: ContentDigest, bytes: ByteBuffer)]
    let file: CatalogFile
    let bytes: ByteBuffer
    let snapshot: ContentDigest

    init(parts: [(digest: ContentDigest, bytes: ByteBuffer)], file: CatalogFile) {
        var file = file
        file.parts.sort { $0.digest < $1.digest }
        self.parts = parts
        self.file = file
        bytes = CatalogCSV.encode(file)
        snapshot = ContentDigest(of: bytes)
    }

    /// Bytes of the snapshot and its parts.
    var catalogBytes: Int64 { file.parts.reduce(Int64(bytes.readableBytes)) { $0 + $1.size } }

    /// The files in the order in which they are written.
    var files: [ContentDigest] { parts.map(\.digest) + [snapshot] }
}

extension CatalogStore {
    /// Returns the snapshot that results from a change. If its own entries exceed the limit, they become a part, merged
    /// with other parts of similar size if there are enough of them.
    func plan(_ changed: Catalog, onto base: CatalogHead) async -> CatalogPlan {
        var file = base.file
        file.hasTimestamps = true
        file.generation = base.generation
        file.rows.join(changed)
        let own = encodedAsPart(file.rows)
        guard own.readableBytes > sizes.ownEntries else { return CatalogPlan(parts: [], file: file) }
        let mayJoin = max(sizes.joinedBytes, sizes.joinedTimes * encodedAsPart(changed).readableBytes)
        let chosen = sizes.partsToJoin(file.parts, with: own.readableBytes, upTo: mayJoin)
        let (rows, bytes): (Catalog, ByteBuffer)
        // Merging parts is housekeeping: a failure must not prevent the commit.
        if !chosen.isEmpty, let found = try? await readParts(chosen) {
            rows = Catalog.join(of: [file.rows] + found.map(\.rows))
            bytes = encodedAsPart(rows)
            file.parts.removeAll(where: chosen.contains)
            for part in found.flatMap(\.parts) where !file.parts.contains(where: { $0.digest == part.digest }) {
                file.parts.append(part)
            }
        } else {
            (rows, bytes) = (file.rows, own)
        }
        let digest = ContentDigest(of: bytes)
        let part = CatalogPart(digest: digest, size: Int64(bytes.readableBytes), counter: rows.highestCounter)
        // After a lost response the part may already be referenced.
        if !file.parts.contains(where: { $0.digest == digest }) { file.parts.append(part) }
        file.rows = Catalog()
        return CatalogPlan(parts: [(digest, bytes)], file: file)
    }

    private func encodedAsPart(_ rows: Catalog) -> ByteBuffer {
        var part = CatalogFile()
        part.rows = rows
        return CatalogCSV.encode(part)
    }
}

extension CatalogSizes {
    /// Returns the parts that are merged with a new one: all parts up to a size tier that has enough of them, within
    /// the limit. Each entry is then moved at most once per tier, which is logarithmic in the size of the catalog.
    func partsToJoin(_ parts: [CatalogPart], with newBytes: Int, upTo limit: Int) -> [CatalogPart] {
        let ascending = parts.sorted { ($0.size, $0.digest) < ($1.size, $1.digest) }
        var sums = ascending.map(\.size)
        for index in sums.indices.dropFirst() { sums[index] += sums[index - 1] }
        let newTier = tier(of: Int64(newBytes))
        for index in ascending.indices.reversed() {
            let tier = tier(of: ascending[index].size)
            let isLast = index + 1 == ascending.count || self.tier(of: ascending[index + 1].size) > tier
            guard isLast, sums[index] <= limit else { continue }
            let ofThisSize = ascending[...index].count { self.tier(of: $0.size) == tier } + (newTier == tier ? 1 : 0)
            if ofThisSize >= partsOfOneSize { return Array(ascending[...index]) }
        }
        // There are too many small parts to merge all: merges as many as the limit allows, if they are at least half a
        // tier.
        let small = zip(ascending, sums).prefix { tier(of: $0.0.size) <= newTier }
        let some = small.prefix { $0.1 <= limit }.map(\.0)
        return small.count + 1 >= partsOfOneSize && some.count >= partsOfOneSize / 2 ? some : []
    }

    /// Returns the tier of a size. Sizes in one tier differ by less than a factor of `partsOfOneSize`, so that this
    /// many parts make one of the next tier.
    private func tier(of size: Int64) -> Int {
        var (tier, end) = (0, Int64(ownEntries) * Int64(partsOfOneSize))
        while size >= end, tier < 32 { (tier, end) = (tier + 1, end * Int64(partsOfOneSize)) }
        return tier
    }
}
