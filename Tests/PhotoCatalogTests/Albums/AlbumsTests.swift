import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

struct AlbumsTests {
    private let one = DeviceTag(value: 1)
    private let other = DeviceTag(value: 2)
    private let rome = AlbumID(random: [1, 2, 3, 4, 5, 6, 7, 8])
    private let oslo = AlbumID(random: [0, 0, 0, 0, 0, 0, 0, 9])

    private func md5(_ seed: Int) throws -> ContentDigest { try .seeded(seed) }

    private func name(_ text: String) throws -> AlbumName { try #require(AlbumName(text)) }

    private func albums(_ names: [AlbumID: String]) throws -> Albums {
        var albums = Albums()
        for (id, text) in names { try albums.create(id, named: try name(text), by: one) }
        return albums
    }

    @Test("albums are read as they were written, in the documented form")
    func form() throws {
        let device = DeviceTag(value: 0xa1b2)
        var albums = Albums()
        try albums.create(rome, named: try name(" Rome/1 "), with: [try md5(1), try md5(2)], by: device)
        let changed = try albums.set([try md5(2): false, try md5(3): false], in: rome, by: device)
        #expect(changed == 1)
        try albums.create(oslo, named: try name("Oslo"), by: device)
        let deletions = [albums.delete(oslo), albums.delete(oslo)]
        #expect(deletions == [true, false])
        let text = """
            {"albums":{"0102030405060708":{"name":"Rome/1","named":"1@0000a1b2",\
            "photos":{"1@0000a1b2":["\(try md5(1))"]},"removed":{"2@0000a1b2":["\(try md5(2))"]}}},\
            "deleted":["0000000000000009"],"version":1}
            """
        #expect(String(buffer: albums.bytes) == text)
        #expect(try Albums(albums.bytes) == albums)
        #expect(albums.all == [Album(id: rome, name: try name("Rome/1"), contents: [try md5(1)])])
    }

    @Test(
        "a name without visible characters, with invisible ones or with more than 256 bytes is refused",
        arguments: [
            "", " \n", "a\u{0}b", "a\nb", "a\u{85}b", "a\u{202e}b", "a\u{2028}b", "\u{2060}", "a\u{200e}", "\u{200d}",
            String(repeating: "a", count: 257), String(repeating: " ", count: 1024) + "a",
            // Normalizing it would take half a minute.
            "a" + String(repeating: "\u{301}", count: 80_000) + String(repeating: "\u{316}", count: 80_000),
        ])
    func invalidNames(_ text: String) { #expect(AlbumName(text) == nil) }

    @Test("names are trimmed and normalized, and may have any letters and emoji")
    func names() {
        #expect(AlbumName("  Cafe\u{301}\n")?.description.unicodeScalars.count == 4)
        for text in [
            String(repeating: "a", count: 256), String(repeating: "語", count: 80), "👨‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "می‌خواهم", "Sommer/Rom",
        ] { #expect(AlbumName(text)?.description == text) }
    }

    @Test("an album is found by its name in any case, or by its id, and no other album gets its name")
    func find() throws {
        var albums = try albums([rome: "Rome", oslo: "\(rome)"])
        #expect(albums.ids(of: " ROME") == [rome] && albums.ids(of: oslo.description) == [oslo])
        #expect(albums.ids(of: rome.description) == [oslo], "a name comes before an id")
        #expect(albums.ids(of: "Paris") == [] && albums.ids(of: "00000000000000ff") == [])
        #expect(throws: CatalogError.albumNameTaken) { try albums.rename(oslo, to: name("rome"), by: one) }
        try albums.rename(rome, to: try name("ROME"), by: one)
        #expect(albums[rome]?.name.description == "ROME")
        #expect(throws: CatalogError.unknownAlbum) { try albums.rename(AlbumID(random: [7]), to: name("x"), by: one) }
        #expect(throws: CatalogError.unknownAlbum) { try albums.set([:], in: AlbumID(random: [7]), by: one) }
        try albums.create(rome, named: try name("Other"), by: other)
        #expect(albums[rome]?.name.description == "ROME", "creating an existing album does nothing")
    }

    @Test("devices that create albums of one name at once keep both")
    func sameName() throws {
        let both = joined(try albums([rome: "Rome"]), try albums([oslo: "rome"]))
        #expect(both.ids(of: "Rome") == [oslo, rome])
        #expect(try Albums(both.bytes) == both)
    }

    @Test("of two changes the later one wins, and a deleted album stays deleted")
    func later() throws {
        let base = try albums([rome: "Rome"])
        var (named, filled, gone) = (base, base, base)
        try named.rename(rome, to: try name("Roma"), by: one)
        _ = try filled.set([try md5(1): true], in: rome, by: other)
        try filled.rename(rome, to: try name("Rom"), by: other)
        #expect(joined(named, filled)[rome]?.name.description == "Rom")
        #expect(joined(named, filled)[rome]?.contents == [try md5(1)])
        _ = gone.delete(rome)
        #expect(joined(filled, gone).all.isEmpty && joined(joined(gone, filled), named).all.isEmpty)
    }

    @Test("the last choice of a cover wins, and one that is not in the album is the newest photo")
    func cover() throws {
        let (old, new) = (try md5(1), try md5(2))
        var base = try albums([rome: "Rome"])
        _ = try base.set([old: true, new: true], in: rome, by: one)
        let isMissing = try base.setCover(try md5(3), of: rome, by: one)
        #expect(!isMissing && base[rome]?.cover == nil)
        var (first, second) = (base, base)
        let isSet = try first.setCover(new, of: rome, by: one)
        _ = try second.setCover(old, of: rome, by: other)
        #expect(isSet && joined(first, second)[rome]?.cover == old)
        let chosen = first.bytes
        _ = try first.setCover(new, of: rome, by: other)
        #expect(first.bytes == chosen, "the same choice is not recorded")
        #expect(try Albums(chosen) == first)

        // The choice outlasts the removal of its photo; a later one for the newest photo ends it.
        _ = try first.set([new: false], in: rome, by: one)
        #expect(first[rome]?.cover == nil)
        _ = try first.set([new: true], in: rome, by: one)
        #expect(first[rome]?.cover == new)
        var newest = first
        _ = try newest.setCover(nil, of: rome, by: one)
        #expect(joined(first, newest)[rome]?.cover == nil)
        #expect(try Albums(newest.bytes) == newest)
        #expect(throws: CatalogError.unknownAlbum) { try base.setCover(nil, of: oslo, by: one) }
    }

    @Test("an album of another library brings its cover, unless one was chosen")
    func fill() throws {
        let (old, new) = (try md5(1), try md5(2))
        var albums = Albums()
        albums.fill(rome, named: try name("Rome"), with: [old], by: one)
        let changes = [
            albums.fill(rome, named: try name("Rome"), with: [old, new], cover: new, by: one),
            albums.fill(rome, named: try name("Rome"), with: [old, new], cover: old, by: one),
        ]
        #expect(changes == [true, false] && albums[rome]?.cover == new)
    }

    @Test("at most 1,000 albums and 200,000 photos in them are stored")
    func limits() throws {
        var many = Albums()
        for number in 0..<1000 {
            let id = AlbumID(random: [UInt8(number >> 8), UInt8(number & 255)])
            try many.create(id, named: try name("\(number)"), by: one)
        }
        #expect(!many.isOverLimit)
        try many.create(rome, named: try name("Rome"), by: one)
        #expect(many.isOverLimit)
        var full = try albums([rome: "Rome"])
        let photos = Dictionary(
            uniqueKeysWithValues: (0..<200_001).map { (ContentDigest(high: 0, low: $0), true) })
        _ = try full.set(photos, in: rome, by: one)
        #expect(full.isOverLimit)
        #expect(throws: CatalogError.document(.albums, .damaged)) { try Albums(full.bytes) }
        _ = full.delete(rome)
        #expect(!full.isOverLimit)
    }

    private func joined(_ left: Albums, _ right: Albums) -> Albums {
        var (both, reverse) = (left, right)
        both.join(right)
        reverse.join(left)
        #expect(both == reverse)
        return both
    }

    @Test("joins are commutative, associative and idempotent")
    func laws() throws {
        for seed in 0..<300 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            // Two of the devices have the same tag.
            let all = try ([1, 2, 2] as [UInt32]).map { device in
                var albums = Albums()
                for _ in 0..<Int.random(in: 0...6, using: &generator) {
                    let (id, tag) = (Bool.random(using: &generator) ? rome : oslo, DeviceTag(value: device))
                    let text = try name(["a", "b", "c"].randomElement(using: &generator) ?? "")
                    switch Int.random(in: 0...9, using: &generator) {
                    case 0: _ = albums.delete(id)
                    case 1...3: try? albums.create(id, named: text, by: tag)
                    case 4: try? albums.rename(id, to: text, by: tag)
                    case 5:
                        let content =
                            try Bool.random(using: &generator) ? md5(.random(in: 1...3, using: &generator)) : nil
                        _ = try? albums.setCover(content, of: id, by: tag)
                    default:
                        let content = try md5(.random(in: 1...3, using: &generator))
                        _ = try? albums.set([content: Bool.random(using: &generator)], in: id, by: tag)
                    }
                }
                return albums
            }
            let left = joined(joined(all[0], all[1]), all[2])
            #expect(joined(all[0], joined(all[1], all[2])) == left, "seed \(seed)")
            #expect(joined(left, all[1]) == left, "seed \(seed)")
            #expect(try Albums(left.bytes) == left, "seed \(seed)")
        }
    }

    @Test(
        "a malformed document is refused, and so is one of a newer version",
        arguments: [
            ("", .damaged), ("[]", .damaged), (#"{"version":1}"#, .damaged),
            (#"{"albums":{},"deleted":["0"],"version":1}"#, .damaged),
            (
                #"{"albums":{"0":{"name":"a","named":"1@00000001","photos":{},"removed":{}}},"deleted":[],"version":1}"#,
                .damaged
            ),
            (entry(#""name":"","named":"1@00000001","photos":{},"removed":{}"#), .damaged),
            (entry(#""name":"a","named":"","photos":{},"removed":{}"#), .damaged),
            (entry(#""name":"a","named":"1@00000001","photos":{"":[]},"removed":{}"#), .damaged),
            (entry(#""name":"a","named":"1@00000001","photos":{},"removed":{"1@00000001":["x"]}"#), .damaged),
            (entry(#""cover":{"chosen":"1"},"name":"a","named":"1@00000001","photos":{},"removed":{}"#), .damaged),
            (
                entry(
                    #""cover":{"chosen":"1@00000001","photo":"x"},"name":"a","named":"1@00000001","photos":{},"removed":{}"#
                ),
                .damaged
            ),
            (
                entry(#""name":"a","named":"1@00000001","photos":{},"removed":{}"#, deleted: #""0000000000000001""#),
                .damaged
            ),
            (
                #"{"albums":{"\#(String(repeating: "\u{301}", count: 2_000_000))":{}},"deleted":[],"version":1}"#,
                .damaged
            ),
            (#"{"albums":{},"deleted":[],"version":0}"#, .damaged),
            (#"{"albums":{},"deleted":[],"version":2}"#, .newerVersion),
        ] as [(String, CatalogError.DocumentProblem)])
    func refused(text: String, problem: CatalogError.DocumentProblem) throws {
        #expect(throws: CatalogError.document(.albums, problem)) { try Albums(ByteBuffer(string: text)) }
        _ = try Albums(ByteBuffer(string: Self.entry(#""name":"a","named":"1@00000001","photos":{},"removed":{}"#)))
    }

    private static func entry(_ members: String, deleted: String = "") -> String {
        #"{"albums":{"0000000000000001":{\#(members)}},"deleted":[\#(deleted)],"version":1}"#
    }
}
