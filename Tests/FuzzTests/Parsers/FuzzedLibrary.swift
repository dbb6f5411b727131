import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

@testable import PhotoCatalog
@testable import PhotoSync

extension FuzzedParser {
    private static let catalog = """
        path,md5,size,modified,taken,type
        "2026/a, ""b"".jpg",0123456789abcdef0123456789abcdef,17,2026-11-22T00:00:00Z,2026-11-21T10:00:00.25Z,image/jpeg
        b.jpg,2123456789abcdef0123456789abcdef,17,2026-11-22T00:00:00Z,2026-01-01T08:00:00+09:00,image/jpeg
        ./=formula.heic,1123456789abcdef0123456789abcdef,0,1969-12-31T23:59:59.999999999Z,,image/heic

        """
    private static let parts = """
        path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed
        .photolala.0123456789abcdef0123456789abcdef.csv,0123456789abcdef0123456789abcdef,9,,,text/csv,,,,6@00000000,,
        .photolala.origin,2123456789abcdef0123456789abcdef,,,,,,,,,,
        "a, ""b"".jpg",0123456789abcdef0123456789abcdef,17,2026-11-22T00:00:00Z,,image/jpeg,4000,3000,6,7@0000a1b2,,
        a.jpg,1123456789abcdef0123456789abcdef,,,,,,,,,2026-11-22T00:00:00Z,8@0000a1b2

        """
    private static let located = """
        path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed,latitude,longitude
        a.jpg,0123456789abcdef0123456789abcdef,17,2026-11-22T00:00:00Z,,image/jpeg,,,,,,,-33.8567844,151.25
        b.jpg,1123456789abcdef0123456789abcdef,17,2026-11-22T00:00:00Z,,image/jpeg,4000,3000,6,7@0000a1b2,,,,

        """
    private static let detailed = """
        path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed,latitude,longitude,\
        color,duration,camera
        a.jpg,0123456789abcdef0123456789abcdef,17,2026-11-22T00:00:00Z,,image/jpeg,,,,,,,,,a1b2c3,,Apple iPhone 15 Pro
        a.mov,1123456789abcdef0123456789abcdef,17,2026-11-22T00:00:00Z,,video/quicktime,,,,,,,,,,4294967295,
        b.mov,2123456789abcdef0123456789abcdef,17,2026-11-22T00:00:00Z,,video/mp4,,,,,,,,,,1,"Ca, ""non"" é"

        """
    private static let largeParts = """
        path,md5,size,modified,taken,type,width,height,orientation,added,trashed,trash_changed
        .photolala.0123456789abcdef0123456789abcdef.csv,0123456789abcdef0123456789abcdef,1073741824,,,text/csv,,,,,,
        .photolala.1123456789abcdef0123456789abcdef.csv,1123456789abcdef0123456789abcdef,1073741824,,,text/csv,,,,,,

        """
    private static let description = """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>filename</key><string>a.jpg</string>\
        <key>dateTaken</key><date>2026-11-22T00:00:00Z</date><key>x</key><array><integer>5</integer><real>1e9</real>\
        <true/><data>AAAA</data></array></dict></plist>
        """

    /// The content of a library: catalogs and descriptions that their owners can write, and photos from any source.
    static func library() throws -> [FuzzedParser] {
        let list: [String: Any] = ["name": "b.jpg", "createdAt": ForgedProvider.now, "n": [1, 2.5, ["k": Data([1])]]]
        let binary = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        return [
            FuzzedParser(
                "catalog", [catalog, parts, located, detailed, largeParts].map { Array($0.utf8) }, tokens: .csv
            ) {
                bytes in
                guard var read = decode(bytes, inBlocksOf: 4096) else {
                    try PropertyViolation.unless(
                        decode(bytes, inBlocksOf: 5) == nil, "the result does not depend on the blocks")
                    return false
                }
                read.hasTimestamps = true
                let again = decode(Array(CatalogCSV.encode(read).readableBytesView), inBlocksOf: 5)
                try PropertyViolation.unless(again == read, "a catalog is read as it was written")
                var joined = read.rows
                joined.join(read.rows)
                try PropertyViolation.unless(joined == read.rows, "known entries change nothing")
                try PropertyViolation.unless(
                    read.rows.entries.count == read.rows.count, "every row is an entry")
                let head = CatalogHead(snapshot: nil, pointer: nil, file: read, generation: .legacyGeneration)
                let chosen = CatalogSizes().partsToJoin(read.parts, with: 40 << 10, upTo: 288 << 10)
                let moved = chosen.reduce(0) { $0 + $1.size }
                try PropertyViolation.unless(
                    moved <= 288 << 10 && moved <= head.bytes, "parts are joined up to their limit")
                return true
            },
            FuzzedParser("photo", PhotoSeeds.all, tokens: .photo) { bytes in
                let head = ByteBuffer(bytes: bytes)
                for type in [MediaType.jpeg, .png, .webp, .gif, .heic, .fujiRAF, .canonCR3, .tiff, .mp4] {
                    let facts = MediaReading(head: head, type: type).facts(until: limit)
                    try PropertyViolation.unless(
                        (1...1_000_000).contains(facts.width ?? 1) && (1...1_000_000).contains(facts.height ?? 1)
                            && (1...8).contains(facts.orientation ?? 1), "a photo's facts are possible")
                    try PropertyViolation.unless(isPossible(facts.taken), "a photo's date is possible")
                    try PropertyViolation.unless(
                        facts.location.map { GeoLocation($0.text) == $0 } ?? true, "a photo's location is possible")
                }
                return MediaSniffer.type(head: head, name: "a.dng") != nil
            },
            FuzzedParser("XMP dates", xmp.map { Array($0.utf8) }, tokens: .xml) { bytes in
                let clues = XMPDates.clues(in: bytes)
                try PropertyViolation.unless(clues.count <= 3, "each name has one date")
                try PropertyViolation.unless(isPossible(date(clues)), "an XMP date is possible")
                return !clues.isEmpty
            },
            FuzzedParser("Takeout date", [Array(takeout.utf8)], tokens: .json) { bytes in
                guard let clue = TakeoutDates.clue(in: ByteBuffer(bytes: bytes)) else { return false }
                try PropertyViolation.unless(isPossible(date([clue])), "Takeout's date is possible")
                return true
            },
            FuzzedParser("photo's description", [Array(description.utf8), Array(binary)], tokens: .xml) { bytes in
                let user = UserID(uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)))
                guard let digest = ContentDigest("0123456789abcdef0123456789abcdef") else { return false }
                let store = MemoryObjectStore { ForgedProvider.now }
                let key = ObjectKey(known: "\(StorageLayout.metadata(user))\(digest).plist")
                _ = try await store.put(key, ByteBuffer(bytes: bytes), if: .always)
                return try await PhotoDescriptions(store: store, user: user).read(digest) != nil
            },
            FuzzedParser("journal", journalLines, tokens: .csv) { bytes in
                guard let row = JournalRow(line: bytes.dropLast()) else { return false }
                let again = JournalRow(line: row.line.dropLast())
                try PropertyViolation.unless(again?.line == row.line, "a row is read as it was written")
                return true
            },
            FuzzedParser(text: "favorites", [favorites]) { text in
                guard let read = try? Favorites(ByteBuffer(string: text)) else { return false }
                try PropertyViolation.unless(
                    try Favorites(read.bytes) == read, "favorites are read as they were written")
                return true
            },
            FuzzedParser(text: "hidden photos", [favorites.replacing("favorites", with: "hidden")]) { text in
                guard let read = try? HiddenPhotos(ByteBuffer(string: text)) else { return false }
                try PropertyViolation.unless(
                    try HiddenPhotos(read.bytes) == read, "hidden photos are read as they were written")
                return true
            },
            FuzzedParser("index of a source", assetLines, tokens: .csv) { bytes in
                guard let row = AssetRow(line: bytes.dropLast()) else { return false }
                try PropertyViolation.unless(
                    AssetRow(line: row.line.dropLast()) == row, "a row is read as it was written")
                return true
            },
            FuzzedParser(text: "names of one folder", ["IMG_1.HEIC/IMG_1.MOV/IMG_E1.HEIC/IMG_1.AAE/a.jpg(1).json"]) {
                text in
                let paths = Set(text.split(separator: "/").prefix(64).compactMap { LibraryPath(String($0)) })
                let files = paths.map { ($0, SidecarName($0.name)?.type ?? MediaType.heic) }
                let (groups, strays) = MediaGroup.groups(of: files)
                let grouped = groups.flatMap { [$0.primary] + $0.companions } + strays
                try PropertyViolation.unless(
                    grouped.count == paths.count && Set(grouped) == paths, "each file is in one group")
                return !groups.isEmpty
            },
            FuzzedParser(text: "library path", ["2026/Zürich/a.jpg", "a"]) { text in
                guard let path = LibraryPath(text) else { return false }
                let beside = path.withRemark("conflict 01234567")
                try PropertyViolation.unless(
                    beside.map { $0.name.utf8.count <= 255 } ?? true, "a name has at most 255 bytes")
                return true
            },
            FuzzedParser(text: "capture date", ["2026-01-01T08:00:00+09:00", "1826-01-01T00:00:00.5Z"]) { text in
                guard let read = CaptureDate(text) else { return false }
                try PropertyViolation.unless(CaptureDate(read.description) == read, "a date is read as it was written")
                try PropertyViolation.unless(isPossible(read), "a capture date is possible")
                return true
            },
            FuzzedParser(text: "timestamp", ["2026-11-22T00:00:00Z", "0001-01-02T00:00:00.000000001+23:59"]) { text in
                guard let read = Timestamp(text) else { return false }
                try PropertyViolation.unless(Timestamp(read.description) == read, "a moment is read as it was written")
                return true
            },
        ]
    }

    private static let favorites = """
        {"favorites":{"0123456789abcdef0123456789abcdef":"17@0a1b2c3d"},
        "removed":{"1123456789abcdef0123456789abcdef":"18@0a1b2c3d"},"version":1}
        """

    private static let xmp = [
        """
        <x:xmpmeta><rdf:Description exif:DateTimeOriginal="2026-01-01T08:00:00.25+09:00"
         photoshop:DateCreated='2026-01-01'><xmp:CreateDate>2026-01-01T08:00Z</xmp:CreateDate></rdf:Description>
        """,
        "<xmp:CreateDate> 2026-01-01T08:00:30</xmp:CreateDate>",
    ]
    private static let takeout = """
        {"title":"a.jpg","photoTakenTime":{"timestamp":"1767222000","formatted":"31.12.2025, 23:00:00 UTC"}}
        """
    private static let limit = Timestamp(seconds: 1_800_000_000, nanoseconds: 0)

    private static func date(_ clues: [CaptureClues.Clue]) -> CaptureDate? {
        var all = CaptureClues()
        all.dates = clues
        return all.date(until: limit)?.captureDate
    }

    /// Returns whether a date can be written and is within the years of photography.
    private static func isPossible(_ date: CaptureDate?) -> Bool {
        guard let date else { return true }
        let year = date.clock.month.year
        return (1825...2200).contains(year) && (-1439...1439).contains(date.offset ?? 0)
    }

    private static var journalLines: [[UInt8]] {
        guard let path = LibraryPath("a\tb.jpg"), let md5 = ContentDigest("0123456789abcdef0123456789abcdef") else {
            return []
        }
        let stamp = FileFingerprint(
            size: 5, modified: Timestamp(seconds: 1, nanoseconds: 2), changed: Timestamp(seconds: 3, nanoseconds: 4),
            inode: 5
        )
        let facts = MediaFacts(
            taken: CaptureDate(Timestamp(seconds: 6, nanoseconds: 0), offset: -90), width: 7, height: 8, orientation: 6,
            location: GeoLocation(latitude: -33.5, longitude: 151), color: PictureColor(red: 1, green: 2, blue: 3),
            duration: MediaDuration(milliseconds: 4), camera: CameraName("Canon \\ R5"))
        let entry = BackupJournal.Entry(fingerprint: stamp, md5: md5, type: .jpeg, facts: facts, committed: md5)
        return [
            JournalRow.file(path, entry).line, JournalRow.nonMedia(path, stamp).line,
            JournalRow.checked(day: 20_000).line,
        ]
    }

    private static var assetLines: [[UInt8]] {
        guard let path = LibraryPath("a\tb.jpg"), let md5 = ContentDigest("0123456789abcdef0123456789abcdef") else {
            return []
        }
        let item = AssetIndex.Item(
            asset: "1\n", resource: "\\2", modified: Timestamp(seconds: 1, nanoseconds: 2))
        let missing = MissingResource(asset: "1\n", md5: md5, isRemoved: true, trashed: 20_000)
        let rows: [AssetRow] = [
            .item(path, item), .removed(path), .missing(path, missing), .found(path), .token([0, 255]), .token(nil),
            .mark(.favorite, "1\n", AssetMark(isSet: true, synced: "0123")), .mark(.hidden, "1", nil),
        ]
        return rows.map(\.line)
    }

    private static func decode(_ bytes: [UInt8], inBlocksOf length: Int) -> CatalogFile? {
        try? CatalogCSV.decode(ByteBuffer(bytes: bytes), blockLength: length)
    }
}
