import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

struct FavoritesTests {
    private let one = DeviceTag(value: 1)
    private let other = DeviceTag(value: 2)

    private func md5(_ seed: Int) throws -> ContentDigest { try .seeded(seed) }

    @Test("favorites are read as they were written, in the documented form")
    func form() throws {
        var favorites = Favorites()
        favorites.set([try md5(1): true, try md5(2): true], by: DeviceTag(value: 0xa1b2))
        favorites.set([try md5(2): false, try md5(3): false], by: DeviceTag(value: 0xa1b2))
        let text = """
            {"favorites":{"\(try md5(1))":"1@0000a1b2"},"removed":{"\(try md5(2))":"2@0000a1b2"},"version":1}
            """
        #expect(String(buffer: favorites.bytes) == text)
        #expect(try Favorites(favorites.bytes) == favorites)
        #expect(favorites.contents == [try md5(1)])
        #expect(favorites.contains(try md5(1)))
    }

    @Test("a change without an effect is not recorded")
    func noChange() throws {
        var favorites = Favorites()
        favorites.set([try md5(1): true], by: one)
        let before = favorites
        favorites.set([try md5(1): true, try md5(2): false], by: other)
        #expect(favorites == before)
    }

    @Test("the later change wins, of any device; of two with one timestamp, the favorite stays")
    func later() throws {
        var base = Favorites()
        base.set([try md5(1): true], by: other)
        var (removed, added) = (base, base)
        removed.set([try md5(1): false], by: one)
        #expect(joined(base, removed).contents.isEmpty)
        added.set([try md5(2): true], by: one)
        removed.set([try md5(2): true], by: one)
        removed.set([try md5(2): false], by: one)
        #expect(joined(added, removed).contents.isEmpty)
        var (yes, no) = (Favorites(), Favorites())
        yes.set([try md5(3): true, try md5(4): true], by: one)
        no.set([try md5(4): true], by: other)
        #expect(joined(yes, no).contents == [try md5(3), try md5(4)])
    }

    private func joined(_ left: Favorites, _ right: Favorites) -> Favorites {
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
                var favorites = Favorites()
                for _ in 0..<Int.random(in: 0...5, using: &generator) {
                    let content = try md5(.random(in: 1...3, using: &generator))
                    favorites.set([content: Bool.random(using: &generator)], by: DeviceTag(value: device))
                }
                return favorites
            }
            let left = joined(joined(all[0], all[1]), all[2])
            #expect(joined(all[0], joined(all[1], all[2])) == left, "seed \(seed)")
            #expect(joined(left, all[1]) == left, "seed \(seed)")
        }
    }

    @Test(
        "a malformed document is refused, and so is one of a newer version",
        arguments: [
            ("", .document(.favorites, .damaged)), ("[]", .document(.favorites, .damaged)),
            (#"{"version":1}"#, .document(.favorites, .damaged)),
            (#"{"favorites":{"x":"1@00000001"},"removed":{},"version":1}"#, .document(.favorites, .damaged)),
            (
                #"{"favorites":{"0123456789abcdef0123456789abcdef":""},"removed":{},"version":1}"#,
                .document(.favorites, .damaged)
            ),
            (#"{"favorites":{},"removed":{},"version":0}"#, .document(.favorites, .damaged)),
            (#"{"favorites":{},"removed":{},"version":2}"#, .document(.favorites, .newerVersion)),
        ] as [(String, CatalogError)])
    func refused(text: String, error: CatalogError) {
        #expect(throws: error) { try Favorites(ByteBuffer(string: text)) }
    }
}
