import PhotoCatalog
import PhotolalaTesting
import Testing

@testable import ForeignExports

struct EnteExportTests {
    private let root = "Ente Photos"

    @Test("a photo of several albums is once in the folder of its year, with its description, and in each album")
    func albums() throws {
        var export = EnteFixture()
        export.addCLI("\(root)/Rome", 7, ["a.jpg": 10])
        export.add("\(root)/Rome/.meta/album_meta.json", json: #"{"id":1,"albumName":"Rome: Summer"}"#)
        export.addCLI("\(root)/Best", 7, ["a_1.jpg": 10])
        export.addCLI("\(root)/Best", 8, ["a.jpg": 10])
        let read = try export.read()
        #expect(
            try export.paths() == [
                "E/2023/a.jpg", "E/2023/a_1.jpg", "E/Albums/Best/a.jpg", "E/Albums/Best/a_1.jpg",
                "E/Albums/Rome: Summer/a_1.jpg",
            ])
        #expect(read.items.map { $0.description?.path.description } == ["E/2023/a.jpg.json", "E/2023/a_1.jpg.json"])
        #expect(read.items[0].location == GeoLocation(latitude: 48.5, longitude: 11.5))
        #expect(read.findings.albums == ["E/Albums/Best": 2, "E/Albums/Rome: Summer": 1])
        #expect(read.findings.descriptions == 3 && read.findings.mediaFiles == 3 && read.findings.captions == 3)
        #expect(read.findings.otherDescriptions == 1 && read.findings.otherFiles == 0)
    }

    @Test("the desktop app's record tells which files are one photo; without it and a checksum they stay apart")
    func record() throws {
        var export = EnteFixture()
        export.addDesktop("\(root)/Rome", "a.jpg", size: 10)
        export.addDesktop("\(root)/Best", "a.jpg", size: 10)
        #expect(try export.paths().filter { $0.hasPrefix("E/2023/") } == ["E/2023/a (2).jpg", "E/2023/a.jpg"])
        export.add(
            "\(root)/export_status.json", json: EnteJSON.record([("Rome", ["7": "a.jpg"]), ("Best", ["7": "a.jpg"])]))
        #expect(
            try export.paths() == ["E/2023/a.jpg", "E/Albums/Best/a.jpg", "E/Albums/Rome/a.jpg"])
        #expect(try export.read().findings.otherDescriptions == 1)
    }

    @Test("equal contents of an archive are one photo, and a wrong number does not unite different ones")
    func contents() throws {
        var export = EnteFixture()
        for album in ["A", "B"] {
            export.add("\(album)/a.jpg", size: 10, crc32: 1)
            export.add("\(album)/metadata/a.jpg.json", json: EnteJSON.desktop("a.jpg", taken: EnteJSON.taken))
        }
        #expect(try export.read().items.count == 1)
        var different = EnteFixture()
        different.addCLI("A", 7, ["a.jpg": 10])
        different.addCLI("B", 7, ["b.jpg": 11])
        #expect(try different.read().items.count == 2)
    }

    @Test("the halves of a Live Photo get one stem, of either program")
    func livePhotos() throws {
        var cli = EnteFixture()
        cli.addCLI("A", 7, ["a_1.heic": 10, "a.mov": 11])
        #expect(try cli.paths().prefix(2) == ["E/2023/a_1.heic", "E/2023/a_1.mov"])
        #expect(try cli.read().findings.livePhotos == 1)
        #expect(try cli.read().items.count { $0.description != nil } == 1)
        var desktop = EnteFixture()
        desktop.addDesktop("A", "a(1).heic", size: 10)
        desktop.addDesktop("A", "a.mov", size: 11)
        let pair = #"{"image":"a(1).heic","video":"a.mov"}"#
        desktop.add("export_status.json", json: EnteJSON.record([("A", ["7": pair])]))
        #expect(try desktop.paths().prefix(2) == ["E/2023/a(1).heic", "E/2023/a(1).mov"])
        #expect(try desktop.read().findings.livePhotos == 1 && desktop.read().findings.withoutDescription.isEmpty)
    }

    @Test("Ente's own albums are marks: favorites, hidden and uncategorized photos")
    func ownAlbums() throws {
        var export = EnteFixture()
        for (number, album) in ["Favorites", ".hidden", "Uncategorized"].enumerated() {
            export.addCLI(album, number, ["\(number).jpg": 10])
            export.add("\(album)/.meta/album_meta.json", json: #"{"albumName":"\#(album)"}"#)
        }
        let read = try export.read()
        #expect(read.items.map(\.isFavorite) == [true, false, false])
        #expect(read.items.map(\.isHidden) == [false, true, false])
        #expect(read.findings.favorites == 1 && read.findings.hidden == 1)
        #expect(read.findings.albums == ["E/Albums/Favorites": 1])
    }

    @Test("the trash of the desktop app is left out unless it is wanted; an album of this name is none")
    func trash() throws {
        var export = EnteFixture()
        export.addDesktop("\(root)/A", "a.jpg", size: 10)
        export.addDesktop("\(root)/Trash/A", "b.jpg", size: 11)
        export.add("\(root)/Trash/B/c.jpg", size: 12)
        let read = try export.read()
        #expect(read.items.map(\.path.description) == ["E/2023/a.jpg"])
        #expect(read.findings.trashed == 2)
        #expect(
            try export.read(includesTrashed: true).items.map(\.path.description) == [
                "E/2023/a.jpg", "E/2023/b.jpg", "E/Undated/c.jpg",
            ])
        var album = EnteFixture()
        album.addCLI("Trash", 1, ["a.jpg": 10])
        #expect(try album.read().findings.trashed == 0 && album.read().items.count == 1)
    }

    @Test("what is missing, unreadable or of others is named or counted")
    func others() throws {
        var export = EnteFixture()
        export.addDesktop("\(root)/A", "a.jpg", size: 10)
        export.add("\(root)/A/b.jpg", size: 11)
        export.add("\(root)/A/metadata/c.jpg.json", json: EnteJSON.desktop("c.jpg", taken: 5))
        export.add("\(root)/A/metadata/d.jpg.json", json: "{")
        export.add("\(root)/readme.txt", size: 1)
        export.add("\(root)/A/.DS_Store", size: 1)
        let findings = try export.read().findings
        #expect(findings.withoutDescription == ["\(root)/A/b.jpg"])
        #expect(findings.withoutMedia == ["\(root)/A/metadata/c.jpg.json"])
        #expect(findings.unreadableDescriptions == ["\(root)/A/metadata/d.jpg.json"])
        #expect(findings.otherFiles == 2)
        var none = EnteFixture()
        none.add("A/a.jpg", size: 1)
        #expect(try none.read().isEmpty)
    }

    @Test("photos beside the albums are imported, and those below an album belong to it")
    func outsideAlbums() throws {
        var export = EnteFixture()
        export.addDesktop("\(root)/A", "a.jpg", size: 10)
        export.addDesktop("\(root)/.hidden", "h.jpg", size: 11)
        export.addDesktop("\(root)/Trash/A", "t.jpg", size: 12)
        for (number, path) in ["b.jpg", "A/sub/c.dng", ".hidden/sub/d.jpg", "Trash/A/sub/e.jpg"].enumerated() {
            export.add("\(root)/\(path)", size: 20 + Int64(number))
        }
        export.add("\(root)/A/sub/notes.txt", size: 1)
        export.add("elsewhere/f.jpg", size: 1)
        let read = try export.read()
        let paths = try export.paths()
        #expect(
            paths == [
                "E/2023/a.jpg", "E/2023/h.jpg", "E/Albums/A/a.jpg", "E/Albums/A/c.dng", "E/Undated/b.jpg",
                "E/Undated/c.dng", "E/Undated/d.jpg",
            ])
        #expect(read.findings.hidden == 2 && read.findings.trashed == 2)
        #expect(read.findings.otherFiles == 2 && read.findings.mediaFiles == 7)
    }

    @Test("hostile names stay in the folder of the import")
    func hostile() throws {
        var export = EnteFixture()
        for name in ["../../x.jpg", "/etc/y.jpg", "..", "a\0b.jpg", "a\\b.jpg", String(repeating: "w", count: 4000)] {
            export.add("A/\(name)", size: 10)
        }
        export.add("A/.meta/x.json", json: EnteJSON.cli(1, ["../../x.jpg", "/etc/y.jpg", "a\\\\b.jpg"]))
        export.add("A/.meta/album_meta.json", json: #"{"albumName":"../../.."}"#)
        let paths = try export.paths()
        #expect(paths.count >= 6)
        #expect(paths.allSatisfy { $0.hasPrefix("E/") && !$0.contains("/../") && $0.utf8.count < 300 })
    }

    @Test("ten thousand photos with few names are read without quadratic work", .timeLimit(.minutes(1)))
    func many() throws {
        var export = EnteFixture()
        for number in 0..<10_000 { export.addCLI("A\(number % 100)", number, ["a\(number / 100).jpg": 10]) }
        #expect(try export.read().items.count == 10_000)
        #expect(Set(try export.paths()).count == 20_000)
    }

    @Test("equal numbers and lengths of two exports are different photos; a later copy's description dates the photo")
    func numbers() throws {
        var export = EnteFixture()
        export.addCLI("one/Rome", 7, ["a.jpg": 10])
        export.addCLI("two/Oslo", 7, ["b.jpg": 10])
        #expect(try export.read().items.count == 2)
        var desktop = EnteFixture()
        desktop.add("x/A/a.jpg", size: 10)
        desktop.addDesktop("x/B", "a.jpg", size: 10)
        desktop.add("x/export_status.json", json: EnteJSON.record([("A", ["7": "a.jpg"]), ("B", ["7": "a.jpg"])]))
        let read = try desktop.read()
        #expect(read.items.map(\.path.description) == ["E/2023/a.jpg"] && read.items[0].description != nil)
        #expect(read.items[0].alsoAt.count == 2)
    }
}
