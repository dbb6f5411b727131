/// Colors, durations and cameras depend only on the content, so that all paths of a content have the same ones.
extension MediaFacts {
    /// Returns the color, the duration and the camera, and where they are unknown those of the same content elsewhere.
    func contentFacts(or other: MediaFacts?) -> MediaFacts {
        MediaFacts(
            color: color ?? other?.color, duration: duration ?? other?.duration, camera: camera ?? other?.camera)
    }

    /// Adds the color, the duration and the camera of the same content elsewhere, where they are unknown.
    fileprivate func completed(by other: MediaFacts?) -> MediaFacts {
        let facts = contentFacts(or: other)
        var media = self
        (media.color, media.duration, media.camera) = (facts.color, facts.duration, facts.camera)
        return media
    }
}

/// Tells most contents that are not in a set from those that are by one bit of a table, without hashing them.
private struct ContentFilter {
    private static let bitsPerContent = 32

    private var table: [UInt64]
    private let mask: UInt64

    init(_ contents: Set<ContentDigest>) {
        var words = 1
        while words * 64 < contents.count * Self.bitsPerContent { words *= 2 }
        table = Array(repeating: 0, count: words)
        mask = UInt64(words * 64 - 1)
        for content in contents { table[Int(content.low & mask) / 64] |= 1 << (content.low % 64) }
    }

    func mayContain(_ content: ContentDigest) -> Bool {
        table[Int(content.low & mask) / 64] & 1 << (content.low % 64) != 0
    }
}

extension Catalog {
    /// Returns the records of contents that the library has. Reads all records, as joining a commit does, at a small part of
    /// its cost.
    private func presentIndices(of contents: Set<ContentDigest>) -> [Int] {
        let filter = ContentFilter(contents)
        return records.indices.filter { index in
            filter.mayContain(records[index].md5) && records[index].isPresent && contents.contains(records[index].md5)
        }
    }

    /// Returns what the library's entries tell of contents: colors, durations and cameras, also none of them. Reads all
    /// records.
    func contentFacts(of contents: Set<ContentDigest>) -> [ContentDigest: MediaFacts] {
        contentFacts(at: presentIndices(of: contents))
    }

    private func contentFacts(at indices: [Int]) -> [ContentDigest: MediaFacts] {
        var found: [ContentDigest: MediaFacts] = [:]
        for record in indices.map({ records[$0] }) {
            found[record.md5] = media(of: record).contentFacts(or: found[record.md5])
        }
        return found
    }

    /// Returns the changes that add facts of contents to the entries of the library that lack them. Reads all records.
    package func descriptions(_ facts: [ContentDigest: MediaFacts]) -> [CatalogChange] {
        descriptions(facts, at: presentIndices(of: Set(facts.keys)))
    }

    private func descriptions(_ facts: [ContentDigest: MediaFacts], at indices: [Int]) -> [CatalogChange] {
        indices.compactMap { index in
            guard let found = facts[records[index].md5] else { return nil }
            let known = media(of: records[index])
            let news = MediaFacts(
                color: known.color == nil ? found.color : nil,
                duration: known.duration == nil ? found.duration : nil,
                camera: known.camera == nil ? found.camera : nil)
            return news.addsFacts(than: known) ? description(of: index, media: news) : nil
        }
    }

    /// Returns changes in which all paths of a content have the facts that one of them has, in the changes or in this
    /// catalog, and further ones that give them to the other paths in this catalog.
    /// - Parameter facts: Facts of contents that are known otherwise. Receives those of the changes.
    package func sharingContentFacts(
        _ changes: [CatalogChange], _ facts: inout [ContentDigest: MediaFacts]
    ) -> [CatalogChange] {
        let entries = changes.compactMap(\.describedEntry)
        guard !entries.isEmpty else { return changes }
        let indices = presentIndices(of: Set(entries.map(\.md5)))
        let known = contentFacts(at: indices)
        var shared: [ContentDigest: MediaFacts] = [:]
        for entry in entries {
            let others = shared[entry.md5] ?? facts[entry.md5]
            shared[entry.md5] = entry.media.contentFacts(or: others).contentFacts(or: known[entry.md5])
        }
        facts.merge(shared) { $1 }
        let completed = changes.map { $0.completed(by: shared) }
        let changed = Set(entries.map { EntryIdentity(path: $0.path, md5: $0.md5) })
        let others = descriptions(shared, at: indices)
        return completed + others.filter { !changed.contains(EntryIdentity(path: $0.path, md5: $0.md5)) }
    }
}

extension CatalogEntries {
    /// What the library knows of those contents of these entries that it has at several paths.
    package var sharedContentFacts: [ContentDigest: MediaFacts] {
        let own = Set(contents)
        var (seen, repeated): (Set<ContentDigest>, Set<ContentDigest>) = ([], [])
        for record in catalog.records where record.isPresent && own.contains(record.md5) {
            if !seen.insert(record.md5).inserted { repeated.insert(record.md5) }
        }
        return repeated.isEmpty ? [:] : catalog.contentFacts(of: repeated)
    }
}

extension CatalogChange {
    /// The entry whose facts the change states.
    package var describedEntry: CatalogEntry? {
        switch self {
        case .add(let entry, _), .describe(let entry, _): entry
        case .trash, .restoreFromTrash: nil
        }
    }

    fileprivate func completed(by facts: [ContentDigest: MediaFacts]) -> CatalogChange {
        guard let entry = describedEntry else { return self }
        let completed = CatalogEntry(
            path: entry.path, md5: entry.md5, size: entry.size, modified: entry.modified, type: entry.type,
            media: entry.media.completed(by: facts[entry.md5]))
        switch self {
        case .add(_, let replacing): return .add(completed, replacing: replacing)
        case .describe(_, let added): return .describe(completed, added: added)
        case .trash, .restoreFromTrash: return self
        }
    }
}
