/// All entries of a library, one for each path.
package struct Catalog: Sendable, Equatable {
    private var byPath: [LibraryPath: CatalogEntry] = [:]

    package init() {}

    package var count: Int { byPath.count }

    /// In the order of the paths' bytes.
    package var entries: [CatalogEntry] { byPath.values.sorted { $0.path < $1.path } }

    package subscript(path: LibraryPath) -> CatalogEntry? { byPath[path] }

    /// Each content with its length; entries of one content agree about it or the last one counts.
    package var contents: [ContentDigest: Int64] {
        Dictionary(byPath.values.map { ($0.md5, $0.size) }, uniquingKeysWith: { $1 })
    }

    /// Puts an entry in, whatever was at its path. Gives back what was there.
    @discardableResult
    mutating func insert(_ entry: CatalogEntry) -> CatalogEntry? { byPath.updateValue(entry, forKey: entry.path) }

    /// Takes changes in and gives back those conflicts that kept two contents of one path apart.
    ///
    /// A path holds what the device that speaks last put there if it had put the former content there itself. Where
    /// two devices put different photos at one path both stay: the newer modification date keeps the path (the larger
    /// MD5 if they are equal), the other moves beside it under a name made from its MD5, so that merging again, or on
    /// another device, ends the same. Of one content's modification dates the oldest stays: only copying made others.
    @discardableResult
    package mutating func merge(_ changes: some Sequence<CatalogChange>) -> [CatalogConflict] {
        changes.compactMap { merge($0) }
    }

    private mutating func merge(_ change: CatalogChange) -> CatalogConflict? {
        let ours = change.entry
        guard let theirs = byPath[ours.path], theirs.md5 != change.replacing else {
            insert(ours)
            return nil
        }
        guard theirs.md5 != ours.md5 else {
            if ours.modified < theirs.modified { insert(ours) }
            return nil
        }
        let oursWins = (ours.modified, ours.md5.description) > (theirs.modified, theirs.md5.description)
        let (winner, loser) = oursWins ? (ours, theirs) : (theirs, ours)
        guard let beside = placeBeside(loser) else { return nil }
        let isNew = byPath[beside]?.md5 != loser.md5
        insert(winner)
        insert(loser.moved(to: beside))
        return isNew ? CatalogConflict(path: ours.path, keptBeside: beside) : nil
    }

    /// A free path beside the loser's, or the one where its content already stands.
    private func placeBeside(_ loser: CatalogEntry) -> LibraryPath? {
        let digest = loser.md5.description
        let candidates = [8, 32].compactMap { loser.path.remarked("conflict \(digest.prefix($0))") }
        return candidates.first { byPath[$0] == nil || byPath[$0]?.md5 == loser.md5 }
    }
}

/// Two devices put different photos at one path; one of them now stands beside it.
package struct CatalogConflict: Sendable, Equatable {
    package let path: LibraryPath
    package let keptBeside: LibraryPath
}
