import NIOCore
import PhotoCatalog

/// Whether an asset has a mark in its source, and what of that is in the library.
struct AssetMark: Sendable, Equatable {
    /// The marks of assets that are taken over. The raw value names them in the stored index.
    enum Kind: String, Sendable, CaseIterable {
        case favorite
        case hidden
    }

    let isSet: Bool
    /// Digits of the MD5 of what was last taken over: the state and the contents of the asset. Empty if that is nothing.
    let synced: String
}

/// The marks of one kind that changed in a source since they were last taken over into the library.
struct MarkChanges: Sendable {
    /// Whether each content has the mark.
    private(set) var contents: [ContentDigest: Bool] = [:]
    /// The state of the changed assets afterwards.
    private(set) var synced: [String: AssetMark] = [:]

    /// Compares each asset with what was last taken over. An asset without a committed content waits.
    init(_ kind: AssetMark.Kind, _ index: AssetIndex, _ journal: BackupJournal) {
        var marked: Set<ContentDigest> = []
        var unmarked: Set<ContentDigest> = []
        for (asset, mark) in index.marks[kind] ?? [:] {
            let entries = (index.paths[asset] ?? [:]).values.compactMap { journal.entry($0) }
            let digests = Set(entries.filter { !$0.type.isSidecar }.compactMap(\.committed))
            let state = Self.state(mark.isSet, digests)
            if mark.isSet { marked.formUnion(digests) }
            guard !digests.isEmpty, state != mark.synced else { continue }
            synced[asset] = AssetMark(isSet: mark.isSet, synced: state)
            if mark.isSet {
                for md5 in digests { contents[md5] = true }
            } else {
                unmarked.formUnion(digests)
            }
        }
        // A content of several assets has the mark if one of them has it.
        for md5 in unmarked.subtracting(marked) { contents[md5] = false }
    }

    private static func state(_ isSet: Bool, _ digests: Set<ContentDigest>) -> String {
        let text = digests.sorted().map(\.description).joined(separator: " ")
        return String(ContentDigest(of: ByteBuffer(string: "\(isSet) \(text)")).description.prefix(12))
    }
}
