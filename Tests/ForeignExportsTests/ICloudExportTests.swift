import PhotoCatalog
import PhotolalaTesting
import Testing

@testable import ForeignExports

struct ICloudExportTests {
    private let photos = "iCloud Photos Part 1 of 2/Photos"

    private func row(_ name: String, _ date: String = "July 8,2017 5:24 PM", _ marks: String = "no,no,no") -> String {
        ICloudCSV.row(name, date, marks)
    }

    @Test("a photo is in the folder of its year, with date and favorite; one without a row is undated and named")
    func photo() throws {
        var export = ICloudFixture()
        export.add(photos, ["a.jpg": 10, "b.jpg": 11])
        export.describe(photos, [row("a.jpg", "July 8,2017 5:24 PM", "yes,yes,no"), row("c.jpg")])
        let read = try export.read()
        #expect(read.items.map(\.path.description) == ["I/2017/a.jpg", "I/Undated/b.jpg"])
        #expect(read.items[0].taken?.description == "2017-07-08T17:24:00Z" && read.items[0].isFavorite)
        #expect(read.items.map(\.isHidden) == [true, false])
        #expect(read.findings.withoutDescription == ["\(photos)/b.jpg"])
        #expect(read.findings.withoutMedia == ["\(photos)/c.jpg"])
        #expect(read.findings.mediaFiles == 2 && read.findings.descriptions == 2)
        #expect(read.findings.favorites == 1 && read.findings.hidden == 1)
    }

    @Test(
        "folders are found in any language and nesting, also with the tables beside the photos' folder",
        arguments: [
            ("iCloud-bilder Del 1 av 6/Photos", "iCloud-bilder Del 1 av 6/Photos"), ("Photos", "Photos"),
            ("a/b/c", "a/b/c"),
            ("iCloud Photos/Photos", "iCloud Photos"), ("x/第 1 部分/Photos", "x/第 1 部分/Photos"),
        ])
    func folders(_ media: String, _ table: String) throws {
        var export = ICloudFixture()
        export.add(media, ["a.jpg": 10])
        export.describe(table, [row("a.jpg")])
        #expect(try export.paths() == ["I/2017/a.jpg"])
        #expect(try export.read().findings.withoutMedia.isEmpty)
    }

    @Test("a name of two parts is two photos, each with the date in its own part, whatever the order of the parts")
    func repeatedNames() throws {
        var export = ICloudFixture()
        for (container, date, size) in [(0, "July 8,2017 5:24 PM", 10), (1, "July 9,2017 1:00 AM", 11)]
            as [(Int, String, Int64)]
        {
            export.add("Photos", ["a.jpg": size, "same.jpg": 50], in: container)
            export.describe("Photos", [row("a.jpg", date)], in: container)
        }
        let read = try export.read()
        let dates = Dictionary(
            uniqueKeysWithValues: read.items.map { ($0.path.description, $0.taken?.description) })
        #expect(dates["I/2017/a.jpg"] == "2017-07-08T17:24:00Z")
        #expect(dates["I/2017/a (2).jpg"] == "2017-07-09T01:00:00Z")
        #expect(read.findings.repeatedFiles == 1, "one of the equal files")
        let reversed = try export.reversed.read()
        #expect(
            Dictionary(uniqueKeysWithValues: reversed.items.map { ($0.path.description, $0.taken?.description) })
                == dates)
    }

    @Test("of several rows with one name only what they have in common is used")
    func ambiguous() throws {
        var export = ICloudFixture()
        export.add(photos, ["a.mov": 10, "a-1.mov": 11])
        export.describe(photos, [row("a.mov", "July 8,2017 5:24 PM", "yes,no,no"), row("a.mov", "May 1,2018 1:00 AM")])
        let read = try export.read()
        #expect(read.items.map(\.path.description).sorted() == ["I/Undated/a-1.mov", "I/Undated/a.mov"])
        #expect(read.items.allSatisfy { $0.taken == nil && !$0.isFavorite })
        #expect(read.findings.ambiguous.sorted() == ["\(photos)/a-1.mov", "\(photos)/a.mov"])
        #expect(read.findings.withoutDescription.isEmpty && read.findings.withoutMedia.isEmpty)
    }

    @Test("an empty file is not replaced by a numbered one with a row of its own")
    func emptyFile() throws {
        var export = ICloudFixture()
        export.add(photos, ["a.jpg": 0, "a-1.jpg": 10])
        export.describe(photos, [row("a.jpg"), row("a-1.jpg")])
        let read = try export.read()
        #expect(read.findings.emptyFiles == 0)
        #expect(read.items.map(\.path.description).sorted() == ["I/2017/a-1.jpg", "I/2017/a.jpg"])
    }

    @Test("an empty file is replaced by the numbered one, which gets its name; other numbers belong to the name")
    func numbers() throws {
        var export = ICloudFixture()
        export.add(photos, ["a.mp4": 0, "a-1.mp4": 10, "b.jpg": 11, "b-1.jpg": 12, "c (1).jpg": 13])
        export.describe(photos, [row("a.mp4"), row("b.jpg"), row("c.jpg")])
        let read = try export.read()
        #expect(
            read.items.map(\.path.description).sorted() == [
                "I/2017/a.mp4", "I/2017/b.jpg", "I/2017/c.jpg", "I/Undated/b-1.jpg",
            ])
        #expect(read.findings.emptyFiles == 1)
        #expect(read.findings.withoutDescription == ["\(photos)/b-1.jpg"])
    }

    @Test("photos in the trash, by folder or table, are left out unless they are wanted")
    func trash() throws {
        var export = ICloudFixture()
        export.add(photos, ["a.jpg": 10, "b.jpg": 11])
        export.add("iCloud Photos Part 1 of 2/Recently Deleted", ["c.jpg": 12])
        export.describe(photos, [row("a.jpg"), row("b.jpg", "July 8,2017 5:24 PM", "no,no,yes")])
        let read = try export.read()
        #expect(read.items.map(\.path.description) == ["I/2017/a.jpg"])
        #expect(read.findings.trashed == 2 && read.findings.mediaFiles == 3)
        #expect(try export.read(includesTrashed: true).items.count == 3)
        #expect(read.findings.withoutDescription.count == 1)
        export.describe("x/Photos", [row("c.jpg", "July 8,2017 5:24 PM", "no,no,yes")])
        let described = try export.read(includesTrashed: true)
        #expect(described.items.allSatisfy { $0.taken != nil } && described.findings.withoutMedia.isEmpty)
    }

    @Test("the halves of a Live Photo keep one stem and share the date; a video of another day gets another stem")
    func livePhotos() throws {
        var export = ICloudFixture()
        export.add(
            photos, ["a.HEIC": 10, "a.MOV": 11, "a.AAE": 12, "b.HEIC": 13, "b.MOV": 14, "c.HEIC": 15, "c.MOV": 16])
        let rows = [("b.HEIC", "9"), ("b.MOV", "10"), ("c.HEIC", "9")].map { row($0, "July \($1),2017 1:00 AM") }
        export.describe(photos, [row("a.HEIC"), row("a.MOV", "July 8,2017 5:25 PM")] + rows)
        let read = try export.read()
        #expect(
            read.items.map(\.path.description).sorted() == [
                "I/2017/a.AAE", "I/2017/a.HEIC", "I/2017/a.MOV", "I/2017/b (2).MOV", "I/2017/b.HEIC", "I/2017/c.HEIC",
                "I/2017/c.MOV",
            ])
        #expect(read.findings.livePhotos == 2)
        #expect(read.items.first { $0.path.name == "c.MOV" }?.taken?.description == "2017-07-09T01:00:00Z")
    }

    @Test("shared albums have a folder of their own, and archives in archives are named")
    func sharedAlbums() throws {
        var export = ICloudFixture()
        export.add("iCloud Shared Albums/My Albums/Family", ["x.jpg": 10, "AlbumInfo.json": 3])
        export.add("iCloud Photos Part 1 of 2", ["iCloud Shared Albums.zip": 99])
        let read = try export.read()
        #expect(read.items.map(\.path.description) == ["I/Shared Albums/Family/x.jpg"])
        #expect(read.findings.sharedAlbumPhotos == 1 && read.findings.withoutDescription.isEmpty)
        #expect(read.findings.unopenedArchives == ["iCloud Photos Part 1 of 2/iCloud Shared Albums.zip"])
    }

    @Test("files of other services are counted, and without a table nothing is of iCloud")
    func others() throws {
        var export = ICloudFixture()
        export.add(photos, ["a.jpg": 10, ".DS_Store": 1])
        export.add("iCloud Drive", ["b.jpg": 11])
        #expect(try export.read().isEmpty)
        export.describe(photos, [row("a.jpg")])
        export.add("iCloud Photos Part 1 of 2/x.csv", table: "Images\n\"a.jpg")
        let read = try export.read()
        #expect(read.items.count == 1 && read.findings.otherFiles == 2)
        #expect(read.findings.unreadableDescriptions == ["iCloud Photos Part 1 of 2/x.csv"])
    }

    @Test("hostile names stay in the folder of the import")
    func hostile() throws {
        var export = ICloudFixture()
        for name in ["../../x.jpg", "/etc/y.jpg", "..", "a\0b.jpg", "a\\b.jpg", String(repeating: "w", count: 4000)] {
            export.add(photos, [name: 10])
            export.describe(photos, [row(name)])
        }
        export.add("../Albums/..csv", table: "Images\na\\b.jpg\n../../x.jpg\n")
        let read = try export.read()
        let paths = read.items.flatMap { [$0.path] + $0.alsoAt }.map(\.description)
        #expect(paths.count >= 5)
        #expect(paths.allSatisfy { $0.hasPrefix("I/") && !$0.contains("/../") && $0.utf8.count < 300 })
    }
}
