import ForeignExports
import JSONCoding

extension ImmichServer {
    /// The longest answers, in bytes. An asset with its metadata has about 2 KB.
    private static let (shortAnswer, longAnswer) = (1 << 20, 32 << 20)
    /// The number of assets in one answer; 1000 is the most that Immich permits.
    static let pageSize = 1000
    private static let mostPages = 10_000
    /// A listing whose pages moved while it was read is read this many times.
    private static let mostListings = 3

    package func content() async throws(ImmichError) -> ImmichContent {
        let version = try await json(ImmichResponse.Version.self, .version, limit: Self.shortAnswer)
        let text = "\(version.major).\(version.minor).\(version.patch)"
        guard ImmichError.supportedVersions.contains(version.major) else { throw .versionNotSupported(text) }
        let account = try await json(ImmichResponse.Account.self, .account, limit: Self.shortAnswer)
        guard let id = ImmichResponse.id(account.id) else { throw .malformed(request: Request.account.path) }
        var content = ImmichContent(accountID: id, version: text)
        try await listAssets(&content)
        try await listAlbums(&content)
        return content
    }

    /// Lists the assets. Immich leaves out those whose metadata it has not read if metadata is requested, so each
    /// listing is read with and without metadata.
    private func listAssets(_ content: inout ImmichContent) async throws(ImmichError) {
        var assets: [String: ImmichAsset] = [:]
        var unknown: [String: String] = [:]
        for visibility in ImmichAsset.Visibility.allCases {
            for withExif in [true, false] {
                let query = Query(visibility: visibility, withExif: withExif)
                try await list(query) { item in
                    guard let asset = item.asset else {
                        unknown[item.key] = item.label
                        return
                    }
                    if assets[asset.id] == nil { assets[asset.id] = asset }
                }
            }
        }
        content.assets = Array(assets.values)
        content.notUnderstood = unknown.values.sorted()
    }

    private func listAlbums(_ content: inout ImmichContent) async throws(ImmichError) {
        let albums = try await json([ImmichResponse.Album].self, .albums, limit: Self.longAnswer)
        for album in albums where album.assetCount != 0 {
            guard let id = album.id, let title = album.title else {
                content.notUnderstood.append(album.title ?? album.id ?? "")
                continue
            }
            var members: Set<String> = []
            for visibility in [ImmichAsset.Visibility.timeline, .archive] {
                let query = Query(visibility: visibility, withExif: false, album: id)
                try await list(query) { item in
                    if let asset = item.asset { members.insert(asset.id) }
                }
            }
            content.albums.append(
                ImmichAlbum(
                    id: id, title: title, created: album.created, assets: members.sorted()))
        }
    }

    /// Reads all pages of a search. If an asset is in two pages, the pages have moved, and another one can be missing:
    /// all are read again.
    /// - Throws: `changing` if they move each time.
    private func list(_ query: Query, each: (ImmichResponse.Item) -> Void) async throws(ImmichError) {
        for _ in 1...Self.mostListings {
            var seen: Set<String> = []
            var hasMoved = false
            var page = 1
            while true {
                let request = Request.search(body: query.body(page: page))
                let answer = try await json(ImmichResponse.Search.self, request, limit: Self.longAnswer)
                for item in answer.assets.items {
                    if let id = item.asset?.id, !seen.insert(id).inserted { hasMoved = true }
                    each(item)
                }
                guard let next = answer.assets.nextPage else { break }
                guard Int(next) == page + 1, page < Self.mostPages else { throw .malformed(request: request.path) }
                page += 1
            }
            guard hasMoved else { return }
        }
        throw .changing
    }
}

/// A search of assets.
private struct Query {
    let visibility: ImmichAsset.Visibility
    let withExif: Bool
    var album: String?

    private struct Body: Encodable {
        let visibility: String
        let withExif: Bool
        let withDeleted = true
        let size = ImmichServer.pageSize
        let page: Int
        /// New photos usually come last, so that earlier pages do not move.
        let order = "asc"
        let albumIds: [String]?
    }

    func body(page: Int) -> [UInt8] {
        let body = Body(
            visibility: visibility.rawValue, withExif: withExif, page: page, albumIds: album.map { [$0] })
        // Texts, numbers and booleans can always be written.
        return (try? CompactJSON.encode(body)) ?? []
    }
}
