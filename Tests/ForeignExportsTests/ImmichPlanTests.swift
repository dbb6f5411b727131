import PhotoCatalog
import Testing

@testable import ForeignExports

@Suite struct ImmichPlanTests {
    private static func id(_ number: Int) -> String { "0000000\(number)-0000-4000-8000-00000000000\(number)" }

    private static func asset(
        _ number: Int, _ name: String, _ change: (inout ImmichAsset) -> Void = { _ in }
    ) -> ImmichAsset {
        var asset = ImmichAsset(
            id: id(number), ownerID: "me", name: name, visibility: .timeline,
            modified: Timestamp(seconds: 1_688_212_800, nanoseconds: 0))
        (asset.year, asset.taken) = (2023, asset.modified)
        asset.added = Timestamp(seconds: 1_700_000_000 + Int64(number), nanoseconds: 0)
        change(&asset)
        return asset
    }

    private static func plan(
        _ assets: [ImmichAsset], albums: [ImmichAlbum] = [], includesTrashed: Bool = false,
        places: ImmichPlaces = ImmichPlaces()
    ) -> ImmichPlan {
        var content = ImmichContent(accountID: "me", version: "2.4.1")
        (content.assets, content.albums) = (assets, albums)
        var options = ImmichPlan.Options(destination: LibraryPath(known: "I"))
        options.includesTrashed = includesTrashed
        return ImmichPlan(content, options, places: places)
    }

    private static func paths(_ plan: ImmichPlan) -> [String] {
        plan.items.flatMap { item in
            [item.path, item.videoPath].compactMap(\.self)
                + item.alsoAt.flatMap { [$0.path, $0.videoPath].compactMap(\.self) }
        }.map(\.description).sorted()
    }

    @Test("names do not depend on the order of the listing; the first photo in Immich keeps its name")
    func repeatedNames() {
        let assets = [
            Self.asset(1, "a.jpg"), Self.asset(2, "A.JPG"), Self.asset(3, "a.jpg"),
            Self.asset(4, "b.jpg") { $0.year = 2022 }, Self.asset(5, "c.jpg") { $0.year = nil },
        ]
        let expected = [
            "I/2022/b.jpg", "I/2023/A (000000000002).JPG", "I/2023/a (000000000003).jpg", "I/2023/a.jpg",
            "I/undated/c.jpg",
        ]
        #expect(Self.paths(Self.plan(assets)) == expected)
        #expect(Self.paths(Self.plan(assets.reversed())) == expected)
    }

    @Test("a photo that is named like the caption of another one gets another name", arguments: [true, false])
    func captionName(_ isPhotoFirst: Bool) {
        let (photo, other) = isPhotoFirst ? (1, 2) : (2, 1)
        let assets = [Self.asset(photo, "a.jpg") { $0.caption = "Lake" }, Self.asset(other, "a.jpg.xmp")]
        let first = Self.plan(assets)
        let captions = first.items.compactMap { $0.sidecar?.path.description }
        #expect(Set(Self.paths(first) + captions).count == 3, "\(Self.paths(first)) \(captions)")
        #expect(Self.paths(first).contains(isPhotoFirst ? "I/2023/a.jpg" : "I/2023/a.jpg.xmp"))
        #expect(Self.paths(Self.plan(assets, places: first.places)) == Self.paths(first))
    }

    @Test("a photo in the trash keeps its name, so that the names of others stay")
    func trash() {
        let assets = [Self.asset(1, "a.jpg") { $0.isTrashed = true }, Self.asset(2, "a.jpg")]
        let plan = Self.plan(assets)
        #expect(Self.paths(plan) == ["I/2023/a (000000000002).jpg"])
        #expect(plan.findings.trashed == 1)
        let lost = Self.plan([Self.asset(1, "a.jpg") { ($0.isTrashed, $0.isOffline) = (true, true) }])
        #expect(lost.findings.trashed == 1 && lost.findings.withoutOriginal.isEmpty)
        #expect(Self.paths(Self.plan(assets, includesTrashed: true)).count == 2)
    }

    @Test("a photo keeps its name when the one before it is deleted, and a new one does not get the deleted one's name")
    func keptNames() throws {
        let assets = [Self.asset(1, "a.jpg"), Self.asset(2, "a.jpg")]
        let albums = [6, 7].map { ImmichAlbum(id: Self.id($0), title: "Rome", created: nil, assets: [Self.id(2)]) }
        let first = Self.plan(assets, albums: albums)
        let places = try ImmichPlaces(first.places.bytes)
        #expect(places == first.places)
        let second = Self.plan(
            [assets[1], Self.asset(0, "A.jpg")], albums: [albums[1]], places: places)
        #expect(
            Self.paths(second) == [
                "I/2023/A (000000000000).jpg", "I/2023/a (000000000002).jpg", "I/Albums/Rome (000000000007)/a.jpg",
            ])
        #expect(Self.paths(Self.plan(assets, albums: albums, places: second.places)) == Self.paths(first))
    }

    @Test("a photo that gets a video later keeps its name, unless the video's name is that of another photo")
    func laterVideo() {
        let video = Self.asset(2, "v.mov") { $0.visibility = .hidden }
        let (photo, other) = (Self.asset(1, "a.heic"), Self.asset(3, "a.mov"))
        func live(_ others: [ImmichAsset], _ places: ImmichPlaces) -> [String] {
            var photo = photo
            photo.videoID = video.id
            return Self.paths(Self.plan([photo, video] + others, places: places))
        }
        #expect(live([], Self.plan([photo]).places) == ["I/2023/a.heic", "I/2023/a.mov"])
        #expect(
            live([other], Self.plan([photo, other]).places) == [
                "I/2023/a (000000000001).heic", "I/2023/a (000000000001).mov", "I/2023/a.mov",
            ])
    }

    @Test("a video with the name of its picture, or a photo that is its own video, is imported")
    func sameNames() {
        let assets = [
            Self.asset(1, "a.JPG") { $0.videoID = Self.id(2) }, Self.asset(2, "a.jpg") { $0.visibility = .hidden },
            Self.asset(3, "b.MOV") { $0.videoID = Self.id(4) }, Self.asset(4, "b.MOV") { $0.visibility = .hidden },
            Self.asset(5, "c.jpg") { $0.videoID = Self.id(5) },
        ]
        let plan = Self.plan(assets)
        #expect(
            Self.paths(plan) == ["I/2023/a.JPG", "I/2023/a.MOV", "I/2023/b.MOV", "I/2023/b.MP4", "I/2023/c.jpg"])
        #expect(plan.findings.unusableNames.isEmpty)
    }

    @Test("all files of a photo avoid the library's own photos, unless the photo already has the path")
    func occupied() {
        var content = ImmichContent(accountID: "me", version: "2.4.1")
        content.assets = [
            Self.asset(1, "a.heic") { ($0.videoID, $0.size, $0.caption) = (Self.id(2), 10, "Lake") },
            Self.asset(2, "a.mov") { ($0.visibility, $0.size) = (.hidden, 20) },
        ]
        var options = ImmichPlan.Options(destination: LibraryPath(known: "I"))
        let free = ImmichPlan(content, options, places: ImmichPlaces())
        options.isTaken = { path, size in path.name == "a.mov" && size == 20 }
        let plan = ImmichPlan(content, options, places: ImmichPlaces())
        #expect(Self.paths(plan) == ["I/2023/a (000000000001).heic", "I/2023/a (000000000001).mov"])
        #expect(plan.items.first?.sidecar?.path.description == "I/2023/a (000000000001).heic.xmp")
        #expect(Self.paths(ImmichPlan(content, options, places: free.places)) == Self.paths(free))
    }

    @Test("the video of a Live Photo keeps the stem of its picture, in albums too")
    func livePhotos() {
        let assets = [
            Self.asset(1, "IMG_1.HEIC") { $0.videoID = Self.id(2) },
            Self.asset(2, "other.mp4") { $0.visibility = .hidden },
            Self.asset(3, "IMG_1.MP4"), Self.asset(4, "alone.mov") { $0.visibility = .hidden },
            Self.asset(5, "b.heic") { $0.videoID = Self.id(9) },
        ]
        let album = ImmichAlbum(id: Self.id(7), title: "Rome", created: nil, assets: [Self.id(1), Self.id(8)])
        let plan = Self.plan(assets, albums: [album])
        #expect(
            Self.paths(plan) == [
                "I/2023/IMG_1 (000000000003).MP4", "I/2023/IMG_1.HEIC", "I/2023/IMG_1.mp4", "I/2023/b.heic",
                "I/Albums/Rome/IMG_1.HEIC", "I/Albums/Rome/IMG_1.mp4",
            ])
        #expect(plan.findings.livePhotos == 1 && plan.findings.albums == ["I/Albums/Rome": 1])
        #expect(plan.findings.videosWithoutPicture == ["alone.mov"] && plan.findings.withoutLiveVideo == ["b.heic"])
    }

    @Test("albums with one title are different albums, and empty ones have no folder")
    func albums() {
        let albums = [(8, [1]), (7, [1]), (6, [])].map { number, assets in
            ImmichAlbum(id: Self.id(number), title: "A/B", created: nil, assets: assets.map(Self.id))
        }
        let plan = Self.plan([Self.asset(1, "a.jpg")], albums: albums)
        #expect(plan.findings.albums == ["I/Albums/A_B": 1, "I/Albums/A_B (000000000008)": 1])
    }

    @Test("photos of partners and those without a file are left out and counted")
    func leftOut() {
        let partner = ImmichAsset(
            id: Self.id(2), ownerID: "other", name: "p.jpg", visibility: .timeline,
            modified: Timestamp(seconds: 0, nanoseconds: 0))
        let plan = Self.plan([
            Self.asset(1, "a.jpg") { $0.isOffline = true }, partner,
            Self.asset(3, "c.jpg") { $0.visibility = .archive },
        ])
        #expect(Self.paths(plan) == ["I/2023/c.jpg"])
        #expect(plan.findings.withoutOriginal == ["a.jpg"] && plan.findings.fromPartners == 1)
        #expect(plan.findings.photos == 1 && plan.findings.archived == 1)
    }

    @Test("a caption or rating is a sidecar, whose text is escaped")
    func sidecars() throws {
        let plan = Self.plan([
            Self.asset(1, "a.jpg") { ($0.caption, $0.rating) = ("Tom & <Jerry>\u{1}", 5) },
            Self.asset(2, "b.jpg") { ($0.caption, $0.rating) = (" \n", -1) },
        ])
        let sidecar = try #require(plan.items.first?.sidecar)
        #expect(sidecar.path.description == "I/2023/a.jpg.xmp")
        #expect(sidecar.text.contains("<rdf:li xml:lang=\"x-default\">Tom &amp; &lt;Jerry&gt;</rdf:li>"))
        #expect(sidecar.text.contains("xmp:Rating=\"5\""))
        #expect(plan.items.last?.sidecar == nil && plan.findings.captions == 1)
    }

    @Test("names that are no file names become ones")
    func names() {
        let plan = Self.plan([
            Self.asset(1, "../../x.jpg"), Self.asset(2, ".."),
            Self.asset(3, String(repeating: "é", count: 300) + ".jpg"),
        ])
        #expect(plan.items.count == 3 && plan.findings.unusableNames.isEmpty)
        #expect(plan.items.allSatisfy { $0.path.description.hasPrefix("I/2023/") && $0.path.folders.count == 2 })
    }
}
