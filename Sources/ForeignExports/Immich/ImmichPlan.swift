import PhotoCatalog

/// The photos of an Immich account that an import uploads, with their places in the library.
package struct ImmichPlan: Sendable {
    /// A photo with its files.
    package struct Item: Sendable, Equatable {
        package let asset: ImmichAsset
        package let path: LibraryPath
        package let video: ImmichAsset?
        /// The path of the video; `nil` without one.
        package let videoPath: LibraryPath?
        /// Further paths of picture and video, in albums.
        package var alsoAt: [(path: LibraryPath, videoPath: LibraryPath?)] = []
        /// The caption and rating as a sidecar.
        package let sidecar: (text: String, path: LibraryPath)?

        package static func == (left: Item, right: Item) -> Bool {
            left.asset == right.asset && left.path == right.path && left.videoPath == right.videoPath
                && left.alsoAt.map(\.path) == right.alsoAt.map(\.path) && left.sidecar?.text == right.sidecar?.text
        }
    }

    package struct Options: Sendable {
        package var destination: LibraryPath
        package var includesTrashed = false
        /// Returns whether the library has or had another file at a path than one of this length in bytes.
        package var isTaken: @Sendable (LibraryPath, Int64) -> Bool = { _, _ in false }

        package init(destination: LibraryPath) { self.destination = destination }
    }

    /// The photos, by path.
    package private(set) var items: [Item] = []
    package private(set) var findings = ImmichFindings()
    /// The names that photos and albums have now.
    package private(set) var places: ImmichPlaces

    /// The folder of photos without a date.
    private static let undatedFolder = "undated"
    private static let albumsFolder = "Albums"

    /// - Parameter places: The names that photos and albums have had.
    package init(_ content: ImmichContent, _ options: Options, places: ImmichPlaces) {
        self.places = places
        findings.notUnderstood = content.notUnderstood
        var own: [String: ImmichAsset] = [:]
        var foreign: Set<String> = []
        for asset in content.assets {
            if asset.ownerID == content.accountID { own[asset.id] = asset } else { foreign.insert(asset.id) }
        }
        findings.fromPartners = foreign.count
        var indices: [String: Int] = [:]
        for item in placed(own, options) where isWanted(item.asset, options) {
            record(item)
            indices[item.asset.id] = items.count
            items.append(item)
        }
        findings.videosWithoutPicture = Self.unusedVideos(own)
        addAlbums(content.albums, indices, options)
        items.sort { $0.path < $1.path }
    }

    /// Returns the photos with their paths in the folders of years. Photos that are not imported have paths too: they can
    /// be restored in Immich.
    private mutating func placed(_ own: [String: ImmichAsset], _ options: Options) -> [Item] {
        var placed: [Item] = []
        for asset in Self.ordered(own.values.filter { $0.visibility != .hidden }) {
            let year = asset.year.map { String($0) } ?? Self.undatedFolder
            guard let folder = options.destination.appending(year) else { continue }
            let video = asset.videoID.flatMap { $0 == asset.id ? nil : own[$0] }
            let paths = places.reserve(
                Self.names(asset, video), sizes: [asset.size, video?.size], in: folder, id: asset.id,
                isTaken: options.isTaken)
            guard let path = paths?.first else {
                findings.unusableNames.append(asset.name)
                continue
            }
            let sidecar = ImmichSidecar.text(caption: asset.caption, rating: asset.rating).flatMap { text in
                LibraryPath("\(path).xmp").map { (text, $0) }
            }
            placed.append(
                Item(asset: asset, path: path, video: video, videoPath: paths?.dropFirst().first, sidecar: sidecar))
        }
        return placed
    }

    private static func ordered(_ assets: [ImmichAsset]) -> [ImmichAsset] {
        assets.sorted { ImmichPlaces.precedes(($0.added, $0.id), ($1.added, $1.id)) }
    }

    /// Returns the names of picture and video. The video keeps the stem of its picture.
    private static func names(_ asset: ImmichAsset, _ video: ImmichAsset?) -> [String] {
        guard let video else { return [asset.name] }
        let (stem, own) = ExportedName.split(asset.name)
        // Some versions of Immich give a video the name of its picture.
        let endings = [ExportedName.split(video.name).ending, ".MOV", ".MP4"]
        let ending = endings.first { !$0.isEmpty && $0.lowercased() != own.lowercased() }
        return [asset.name, stem + (ending ?? ".MOV")]
    }

    private static func unusedVideos(_ own: [String: ImmichAsset]) -> [String] {
        let used = Set(own.values.compactMap(\.videoID))
        return own.values.filter { $0.visibility == .hidden && !used.contains($0.id) }.map(\.name).sorted()
    }

    /// Returns whether a photo is imported, and counts those that are not.
    private mutating func isWanted(_ asset: ImmichAsset, _ options: Options) -> Bool {
        if asset.isTrashed {
            findings.trashed += 1
            guard options.includesTrashed else { return false }
        }
        guard asset.isOffline else { return true }
        findings.withoutOriginal.append(asset.name)
        return false
    }

    private mutating func record(_ item: Item) {
        let asset = item.asset
        findings.photos += 1
        findings.livePhotos += item.videoPath == nil ? 0 : 1
        if asset.videoID != nil, item.video == nil { findings.withoutLiveVideo.append(asset.name) }
        findings.favorites += asset.isFavorite ? 1 : 0
        findings.archived += asset.visibility == .archive ? 1 : 0
        findings.stacked += asset.isStacked ? 1 : 0
        findings.edited += asset.isEdited ? 1 : 0
        findings.captions += item.sidecar == nil ? 0 : 1
        findings.unverified += asset.sha1 == nil ? 1 : 0
        findings.withoutMetadata += asset.hasMetadata ? 0 : 1
    }

    /// Adds places in albums. Albums with one title are different albums.
    private mutating func addAlbums(_ albums: [ImmichAlbum], _ indices: [String: Int], _ options: Options) {
        guard let folder = options.destination.appending(Self.albumsFolder) else { return }
        for album in albums.sorted(by: { ImmichPlaces.precedes(($0.created, $0.id), ($1.created, $1.id)) }) {
            let members = Set(album.assets).compactMap { indices[$0] }
            guard !members.isEmpty else { continue }
            guard let place = places.reserve([album.title], in: folder, id: album.id)?.first else {
                findings.unusableNames.append(album.title)
                continue
            }
            let order = members.sorted {
                let (left, right) = (items[$0].asset, items[$1].asset)
                return ImmichPlaces.precedes((left.added, left.id), (right.added, right.id))
            }
            for index in order {
                let item = items[index]
                let paths = places.reserve(
                    Self.names(item.asset, item.video), sizes: [item.asset.size, item.video?.size], in: place,
                    id: item.asset.id, isTaken: options.isTaken)
                guard let path = paths?.first else { continue }
                items[index].alsoAt.append((path, paths?.dropFirst().first))
                findings.albums["\(place)", default: 0] += 1
            }
        }
    }
}

/// What an import found in an Immich account.
package struct ImmichFindings: Sendable, Equatable {
    /// Photos and videos that are imported.
    package var photos = 0
    /// Photos in each album, by its folder in the library.
    package var albums: [String: Int] = [:]
    package var livePhotos = 0
    package var favorites = 0
    package var archived = 0
    package var stacked = 0
    /// Photos of which Immich shows an edited version. The original is imported.
    package var edited = 0
    /// Photos with a caption or rating, which is stored as a sidecar.
    package var captions = 0
    /// Photos without a checksum in Immich, such as those of external libraries.
    package var unverified = 0
    /// Photos whose metadata Immich has not read yet.
    package var withoutMetadata = 0
    package var trashed = 0
    /// Photos of other accounts, such as those of a partner. They are not imported.
    package var fromPartners = 0
    /// Photos whose file the server does not find.
    package var withoutOriginal: [String] = []
    /// Live Photos whose video Immich does not list. The picture is imported.
    package var withoutLiveVideo: [String] = []
    /// Videos of Live Photos whose picture Immich does not list. They are not imported.
    package var videosWithoutPicture: [String] = []
    package var unusableNames: [String] = []
    package var notUnderstood: [String] = []
}
