import NIOCore
import PhotoCatalog

/// Whether an asset is a favorite in its source, and what of that is in the library.
struct AssetFavorite: Sendable, Equatable {
    let isFavorite: Bool
    /// Digits of the MD5 of what was last taken over: the state and the contents of the asset. Empty if that is nothing.
    let synced: String
}

/// The favorites of a source that changed since they were last taken over into the library.
struct FavoriteChanges: Sendable {
    /// Whether each content is a favorite.
    private(set) var contents: [ContentDigest: Bool] = [:]
    /// The state of the changed assets afterwards.
    private(set) var synced: [String: AssetFavorite] = [:]

    /// Compares each asset with what was last taken over. An asset without a committed content waits.
    init(_ index: AssetIndex, _ journal: BackupJournal) {
        for (asset, favorite) in index.favorites {
            let entries = (index.paths[asset] ?? [:]).values.compactMap { journal.entry($0) }
            let digests = Set(entries.filter { !$0.type.isSidecar }.compactMap(\.committed))
            let mark = Self.mark(favorite.isFavorite, digests)
            guard !digests.isEmpty, mark != favorite.synced else { continue }
            synced[asset] = AssetFavorite(isFavorite: favorite.isFavorite, synced: mark)
            // A content of several assets is a favorite if one of them is.
            for md5 in digests { contents[md5] = favorite.isFavorite || contents[md5] ?? false }
        }
    }

    private static func mark(_ isFavorite: Bool, _ digests: Set<ContentDigest>) -> String {
        let text = digests.sorted().map(\.description).joined(separator: " ")
        return String(ContentDigest(of: ByteBuffer(string: "\(isFavorite) \(text)")).description.prefix(12))
    }
}
