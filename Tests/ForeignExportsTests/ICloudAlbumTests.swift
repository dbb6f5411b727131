import PhotoCatalog
import PhotolalaTesting
import Testing

@testable import ForeignExports

struct ICloudAlbumTests {
    private let photos = "iCloud Photos Part 1 of 2/Photos"

    /// A copy with photos of one day; `f` is a favorite, `h` hidden, and `t` in the trash.
    private func export() -> ICloudFixture {
        var export = ICloudFixture()
        export.add(photos, ["a.HEIC": 10, "a.MOV": 11, "b.jpg": 12, "f.jpg": 13, "h.jpg": 14, "t.jpg": 15])
        let marks = ["f.jpg": "yes,no,no", "h.jpg": "no,yes,no", "t.jpg": "no,no,yes"]
        export.describe(
            photos,
            ["a.HEIC", "a.MOV", "b.jpg", "f.jpg", "h.jpg", "t.jpg"].map {
                ICloudCSV.row($0, "July 8,2017 5:24 PM", marks[$0] ?? "no,no,no")
            })
        return export
    }

    @Test("an album has its photos with both halves of Live Photos, in any part and with any title")
    func albums() throws {
        var export = export()
        export.add("iCloud Photos Part 2 of 2/Albums/Été, 1.csv", table: "Images\na.HEIC\na.MOV\nb.jpg\nb.jpg\nt.jpg\n")
        let read = try export.read()
        #expect(
            read.items.flatMap(\.alsoAt).map(\.description).sorted() == [
                "I/Albums/Été, 1/a.HEIC", "I/Albums/Été, 1/a.MOV", "I/Albums/Été, 1/b.jpg",
            ])
        #expect(read.findings.albums == ["I/Albums/Été, 1": 3])
        #expect(read.findings.otherDescriptions == 1 && read.findings.unresolvedAlbumPhotos.isEmpty)
    }

    @Test("a name of several photos, or of none, is in no album and named")
    func unresolved() throws {
        var export = export()
        export.add("iCloud Photos Part 2 of 2/Photos", ["b.jpg": 99], in: 1)
        export.add(photos, ["n.jpg": 20, "n-1.jpg": 21])
        export.describe(photos, ["1", "2"].map { ICloudCSV.row("n.jpg", "May \($0),2017 5:24 PM", "no,no,no") })
        export.add("Albums/Trip.csv", table: "Images\nb.jpg\nmissing.jpg\nf.jpg\nn.jpg\n")
        let read = try export.read()
        #expect(
            read.findings.unresolvedAlbumPhotos == ["b.jpg", "missing.jpg", "n.jpg"].map { "Albums/Trip.csv: \($0)" })
        #expect(read.findings.albums == ["I/Albums/Trip": 1])
    }

    @Test("lists of favorites and hidden photos are no albums, in any language; other lists of this form are")
    func marked() throws {
        var export = export()
        export.add("Albums/Favoriten.csv", table: "imgName\nf.jpg\n")
        export.add("Albums/Ausgeblendet.csv", table: "imgName\nh.jpg\n")
        export.add("Albums/Trip.csv", table: "imgName\nb.jpg\nf.jpg\n")
        #expect(try export.read().findings.albums == ["I/Albums/Trip": 2])
    }

    @Test("memories are counted and are no albums")
    func memories() throws {
        var export = export()
        export.add("Memories/Summer 2017.csv", table: "imageName\nb.jpg\n")
        let read = try export.read()
        #expect(read.findings.memories == 1 && read.findings.albums.isEmpty && read.findings.otherDescriptions == 0)
    }

    @Test("missing parts are found by their numbers, in any language, of archives and folders")
    func parts() {
        let paths = ["x/iCloud Photos Part 1 of 4.zip", "iCloud Photos Part 3 of 4 (1).zip", "holiday 1 of 3.zip"]
        #expect(
            ICloudParts.missing(in: paths, []) == ["iCloud Photos Part 2 of 4", "iCloud Photos Part 4 of 4"])
        #expect(ICloudParts.missing(in: ["iCloud-bilder Del 2 av 2.zip"], []) == ["iCloud-bilder Del 1 av 2"])
        #expect(ICloudParts.missing(in: ["iCloud 3 中の 2.zip"], []) == ["iCloud 3 中の 1", "iCloud 3 中の 3"])
        var export = ICloudFixture()
        export.add("iCloud Photos Part 1 of 2/Photos", ["a.jpg": 1])
        #expect(ICloudParts.missing(in: ["downloads"], export.files) == ["iCloud Photos Part 2 of 2"])
        export.add("iCloud Photos Part 2 of 2/Photos", ["a.jpg": 1])
        #expect(ICloudParts.missing(in: ["iCloud Photos Part 1 of 2.zip"], export.files).isEmpty)
        #expect(
            ICloudParts.missing(in: ["iCloud 99999 of 99999.zip", "iCloud 0 of 0.zip", "iCloud 7.zip"], []).isEmpty)
    }

    @Test("twenty thousand photos in an album are read without quadratic work", .timeLimit(.minutes(1)))
    func many() throws {
        var export = ICloudFixture()
        let names = (0..<10_000).map { "IMG_\($0).JPG" }
        for container in 0..<2 {
            for (number, name) in names.enumerated() {
                export.add("Photos", [name: Int64(number + container * 10_000 + 1)], in: container)
            }
            let rows = names.map { ICloudCSV.row($0, "July 8,2017 5:24 PM", "no,no,no") }
            export.describe("Photos", rows, in: container)
        }
        export.add("Albums/All.csv", table: "Images\n" + names.joined(separator: "\n"))
        let read = try export.read()
        #expect(read.items.count == 20_000 && Set(read.items.map(\.path)).count == 20_000)
        #expect(read.findings.unresolvedAlbumPhotos.count == 10_000)
    }
}
