import NIOCore
import PhotoCatalog
import PhotolalaTesting
import Testing

@testable import ForeignExports

struct TakeoutExportTests {
    /// The files of a Takeout: descriptions with their bytes, photos without.
    struct Export {
        var files: [ExportedFile] = []
        var descriptions: [Int: TakeoutDescription] = [:]

        mutating func add(_ path: String, size: Int64 = 10, crc32: UInt32? = nil) {
            files.append(
                ExportedFile(
                    path: path, size: size, crc32: crc32 ?? UInt32(files.count),
                    modified: Timestamp(seconds: 0, nanoseconds: 0)))
        }

        mutating func add(_ path: String, json: [UInt8]) {
            descriptions[files.count] = TakeoutDescription.read(ByteBuffer(bytes: json))
            add(path)
        }

        /// Adds a photo of 2023 and its description.
        mutating func addPhoto(_ path: String, _ members: String = "", url: String = "", taken: Int = 1_688_212_800) {
            add(path)
            let title = String(path.split(separator: "/").last ?? "")
            add("\(path).json", json: TakeoutJSON.photo(title, taken: taken, #"\#(members)"url":"\#(url)","#))
        }

        func read(includesTrashed: Bool = false) throws -> TakeoutExport {
            var options = ForeignExportOptions(destination: try #require(LibraryPath("G")))
            options.includesTrashed = includesTrashed
            return TakeoutExport(files, descriptions, options)
        }

        func paths() throws -> [String] { try read().items.map(\.path.description) }
    }

    private let year = "Takeout/Google Photos/Photos from 2023"

    @Test("a photo is in the folder of its year, with its description beside it")
    func photo() throws {
        var export = Export()
        export.addPhoto("\(year)/a.jpg", #""favorited":true,"geoData":{"latitude":1,"longitude":2},"#)
        let read = try export.read()
        let item = try #require(read.items.first)
        #expect(item.path.description == "G/2023/a.jpg")
        #expect(item.description?.path.description == "G/2023/a.jpg.json")
        #expect(item.description?.file == 1)
        #expect(item.taken?.seconds == 1_688_212_800)
        #expect(item.location == GeoLocation(latitude: 1, longitude: 2))
        #expect(item.isFavorite)
        #expect(read.findings.mediaFiles == 1 && read.findings.descriptions == 1)
        #expect(read.findings.withoutDescription.isEmpty && read.findings.withoutMedia.isEmpty)
    }

    @Test(
        "folders are recognized in any language",
        arguments: [
            ("Takeout/Google Fotos/Fotos von 2024", "G/2024/a.jpg"), ("Foto's/Photos de 1969", "G/1969/a.jpg"),
            ("Takeout/写真/2005-02-05", "G/2005/a.jpg"), ("Takeout/Whatever/Trip", "G/Albums/Trip/a.jpg"),
            ("Takeout/Google Foto/Papierkorb", "G/Papierkorb/a.jpg"), ("A/Takeout/G/Photos from 2020 ", "G/2020/a.jpg"),
            ("Takeout/Google 포토/2024년의 사진", "G/2024/a.jpg"), ("Takeout/G/2024 Rome", "G/Albums/2024 Rome/a.jpg"),
        ])
    func folders(_ folder: String, _ path: String) throws {
        var export = Export()
        export.addPhoto("\(folder)/a.jpg")
        #expect(try export.paths() == [path])
    }

    @Test("parts that were unpacked into folders of their own are one tree")
    func unpackedParts() throws {
        var export = Export()
        export.add("first/\(year)/a.jpg")
        export.add("second/\(year)/a.jpg.json", json: TakeoutJSON.photo("a.jpg", taken: 5))
        let read = try export.read()
        #expect(read.items.map(\.path.description) == ["G/2023/a.jpg"])
        #expect(read.items.first?.taken?.seconds == 5)
    }

    @Test("an album has its title, also with a year in its name; two albums with one title stay apart")
    func albums() throws {
        var export = Export()
        for (folder, title) in [("Holiday 2019", "Holiday 2019"), ("E_S", "E&S / a"), ("Trip", "T"), ("Trip(1)", "t")] {
            export.add("Takeout/G/\(folder)/metadata.json", json: TakeoutJSON.album(title))
            export.addPhoto("Takeout/G/\(folder)/a.jpg")
        }
        #expect(
            try export.paths().sorted() == [
                "G/Albums/E&S _ a/a.jpg", "G/Albums/Holiday 2019/a.jpg", "G/Albums/T/a.jpg", "G/Albums/t (2)/a.jpg",
            ])
        #expect(try export.read().findings.albums.values.reduce(0, +) == 4)
    }

    @Test("an album that has only descriptions gets the photos of the year folder")
    func memberships() throws {
        var export = Export()
        export.addPhoto("\(year)/a.jpg", url: "https://x/1")
        export.addPhoto("\(year)/b.jpg")
        export.add("Takeout/G/Trip/a(1).jpg.json", json: TakeoutJSON.photo("a.jpg", taken: 5, #""url":"https://x/1","#))
        export.add("Takeout/G/Trip/b.jpg.json", json: TakeoutJSON.photo("b.jpg", taken: 1_688_212_800))
        export.add("Takeout/G/Trip/c.jpg.json", json: TakeoutJSON.photo("c.jpg", taken: 5))
        export.add("Takeout/G/Trip/d.jpg.json", json: TakeoutJSON.photo("d.jpg", taken: 5, #""trashed":true,"#))
        let read = try export.read()
        #expect(
            read.items.map { $0.alsoAt.map(\.description) } == [["G/Albums/Trip/a.jpg"], ["G/Albums/Trip/b.jpg"]])
        #expect(read.findings.withoutMedia == ["Takeout/G/Trip/c.jpg.json"])
        #expect(read.findings.albums == ["G/Albums/Trip": 2])
    }

    @Test("photos in the trash are left out unless they are wanted")
    func trash() throws {
        var export = Export()
        export.addPhoto("\(year)/a.jpg", #""trashed":true,"#)
        export.addPhoto("\(year)/b.jpg", #""archived":true,"inLockedFolder":true,"#)
        let read = try export.read()
        #expect(read.items.map(\.path.description) == ["G/2023/b.jpg"])
        #expect(read.findings.trashed == 1 && read.findings.archived == 1 && read.findings.locked == 1)
        #expect(read.items.map(\.isHidden) == [true])
        #expect(try export.read(includesTrashed: true).items.count == 2)
    }

    @Test("the halves of Live Photos and motion photos keep one stem, and share the description")
    func livePhotos() throws {
        var export = Export()
        export.addPhoto("\(year)/IMG_1.HEIC")
        export.add("\(year)/IMG_1.MP4")
        export.addPhoto("\(year)/PXL_1.MP.jpg")
        export.add("\(year)/PXL_1.MP")
        let read = try export.read()
        #expect(
            read.items.map(\.path.description).sorted() == [
                "G/2023/IMG_1.HEIC", "G/2023/IMG_1.MP4", "G/2023/PXL_1.MP.jpg", "G/2023/PXL_1.MP.mp4",
            ])
        #expect(read.items.allSatisfy { $0.taken != nil })
        #expect(read.items.count { $0.description != nil } == 2)
        #expect(read.findings.livePhotos == 2 && read.findings.withoutDescription.isEmpty)
        let files = read.items.map { ($0.path, $0.path.name.hasSuffix("4") ? MediaType.mp4 : .heic) }
        #expect(MediaGroup.groups(of: files).groups.count == 2)
    }

    @Test("a picture and a video of one stem whose descriptions date them apart are no Live Photo")
    func apart() throws {
        for (seconds, livePhotos) in [(60, 1), (600, 0)] {
            var export = Export()
            export.addPhoto("\(year)/IMG_1.jpg", taken: 1_680_000_000)
            export.addPhoto("\(year)/IMG_1.mp4", taken: 1_680_000_000 + seconds)
            let read = try export.read()
            #expect(read.findings.livePhotos == livePhotos)
            #expect(
                read.items.map(\.path.name).sorted()
                    == ["IMG_1.jpg", livePhotos == 1 ? "IMG_1.mp4" : "IMG_1 (2).mp4"].sorted())
        }
    }

    @Test("names that differ only in case get a number, both halves the same one")
    func collisions() throws {
        var export = Export()
        export.addPhoto("\(year)/a.jpg")
        export.addPhoto("\(year)/A.JPG")
        export.add("\(year)/A.MOV")
        #expect(try export.paths().sorted() == ["G/2023/A.JPG", "G/2023/A.MOV", "G/2023/a (2).jpg"])
        var video = Export()
        for name in ["A.JPG", "A.MOV", "a.mov"] { video.add("\(year)/\(name)") }
        video.addPhoto("\(year)/b.jpg")
        #expect(try video.paths().contains("G/2023/a (2).mov"))
    }

    @Test("a truncated name is restored from the title, not one with replaced characters")
    func restoredNames() throws {
        var export = Export()
        let cut = "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg"
        export.add("\(year)/\(cut)")
        export.add(
            "\(year)/PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGIN.json",
            json: TakeoutJSON.photo("PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINAL.jpg", taken: 1))
        let stem = String(repeating: "n", count: 47)
        export.add("\(year)/\(stem).jpg")
        export.add("\(year)/\(stem.dropLast()).json", json: TakeoutJSON.photo("\(stem)/1.jpg", taken: 1))
        let read = try export.read()
        #expect(
            read.items.map(\.path.description) == [
                "G/2023/PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINAL.jpg", "G/2023/\(stem).jpg",
            ])
        #expect(read.findings.restoredNames == 1)
    }

    @Test("a file that two parts have is one, files of one name with different contents are two")
    func repeated() throws {
        var export = Export()
        for crc32 in [1, 1, 2] as [UInt32] { export.add("\(year)/a.jpg", crc32: crc32) }
        export.add("\(year)/a.jpg.json", json: TakeoutJSON.photo("a.jpg", taken: 1))
        let read = try export.read()
        #expect(read.items.map(\.path.description) == ["G/2023/a.jpg", "G/2023/a (2).jpg"])
        #expect(read.items.allSatisfy { $0.taken?.seconds == 1 })
        #expect(read.findings.repeatedFiles == 1)
    }

    @Test("files of other services and systems are counted, other JSON files are no photos")
    func others() throws {
        var export = Export()
        export.addPhoto("\(year)/a.jpg")
        export.add("Takeout/archive_browser.html")
        export.add("Takeout/Drive/Photos 2020/b.jpg")
        export.add("\(year)/.DS_Store")
        export.add("Takeout/Google Photos/print-subscriptions.json", json: Array("{}".utf8))
        export.add("\(year)/broken.json", json: Array("{".utf8))
        let read = try export.read()
        #expect(read.items.count == 1)
        #expect(read.findings.otherFiles == 3 && read.findings.otherDescriptions == 1)
        #expect(read.findings.unreadableDescriptions == ["\(year)/broken.json"])
    }

    @Test("hostile names stay in the folder of the import")
    func hostile() throws {
        var export = Export()
        for name in [
            "../../x.jpg", "/etc/y.jpg", "..", "a\0b.jpg", "a\\b.jpg", ".. /z.jpg", String(repeating: "w", count: 4000),
        ] {
            export.add("\(year)/\(name)")
        }
        export.add("Takeout/Google Photos/../Photos from 2023/q.jpg")
        export.addPhoto("\(year)/a.jpg")
        export.add("Takeout/Google Photos/x/metadata.json", json: TakeoutJSON.album("../../.."))
        export.addPhoto("Takeout/Google Photos/x/a.jpg")
        let paths = try export.paths()
        #expect(paths.count >= 9)
        #expect(paths.allSatisfy { $0.hasPrefix("G/") && !$0.contains("/../") && $0.utf8.count < 300 })
    }

    @Test("missing parts are found by their numbers")
    func parts() {
        let names = ["x/takeout-20230720T065335Z-3-001.zip", "takeout-20230720T065335Z-3-004.zip", "photos-9.zip"]
        #expect(
            TakeoutParts.missing(in: names) == [
                "takeout-20230720T065335Z-3-002.zip", "takeout-20230720T065335Z-3-003.zip",
            ])
    }

    @Test("ten thousand photos with one name are placed without quadratic work", .timeLimit(.minutes(1)))
    func manyCollisions() throws {
        var export = Export()
        for number in 0..<10_000 { export.add("\(year)/a.jpg", crc32: UInt32(number)) }
        #expect(Set(try export.paths()).count == 10_000)
    }

    @Test("a video with a description of another time is no half of the photo of its stem")
    func otherVideo() throws {
        var export = Export()
        export.addPhoto("\(year)/a.jpg")
        export.add("\(year)/a.mov")
        export.add("\(year)/a.mov.json", json: TakeoutJSON.photo("a.mov", taken: 1_500_000_000))
        export.addPhoto("\(year)/b.jpg")
        export.add("\(year)/b.mov")
        #expect(try export.paths() == ["G/2023/a.jpg", "G/2023/a (2).mov", "G/2023/b.jpg", "G/2023/b.mov"])
        #expect(try export.read().findings.livePhotos == 1)
    }

    @Test("a photo whose name begins with a dot is imported; files of systems are not")
    func dots() throws {
        var export = Export()
        export.addPhoto("\(year)/.facebook_1.jpg")
        export.add("\(year)/.DS_Store")
        export.add("\(year)/._a.jpg")
        let read = try export.read()
        #expect(read.items.map(\.path.description) == ["G/2023/.facebook_1.jpg"] && read.findings.otherFiles == 2)
    }
}
