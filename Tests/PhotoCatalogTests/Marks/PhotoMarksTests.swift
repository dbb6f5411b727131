import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// The rules of the documents with marks of photos, which are the same for favorites and hidden photos.
struct PhotoMarksTests {
    enum Kind: CaseIterable, Sendable {
        case favorites, hidden

        var type: any PhotoMark.Type {
            switch self {
            case .favorites: FavoriteMark.self
            case .hidden: HiddenMark.self
            }
        }
    }

    private let one = DeviceTag(value: 1)
    private let other = DeviceTag(value: 2)

    private func md5(_ seed: Int) throws -> ContentDigest { try .seeded(seed) }

    @Test("marks are read as they were written, in the documented form", arguments: Kind.allCases)
    func form(_ kind: Kind) throws { try form(kind.type, "\(kind)") }

    private func form<Mark: PhotoMark>(_ mark: Mark.Type, _ name: String) throws {
        var marks = PhotoMarks<Mark>()
        marks.set([try md5(1): true, try md5(2): true], by: DeviceTag(value: 0xa1b2))
        marks.set([try md5(2): false, try md5(3): false], by: DeviceTag(value: 0xa1b2))
        let (marked, removed) = (
            #""\#(name)":{"\#(try md5(1))":"1@0000a1b2"}"#, #""removed":{"\#(try md5(2))":"2@0000a1b2"}"#
        )
        #expect(String(buffer: marks.bytes) == #"{\#(marked),\#(removed),"version":1}"#)
        #expect(try PhotoMarks<Mark>(marks.bytes) == marks)
        #expect(marks.contents == [try md5(1)])
        #expect(marks.contains(try md5(1)))
    }

    @Test("a document with other marks is refused")
    func exchanged() throws {
        #expect(throws: CatalogError.document(.hidden, .damaged)) { try HiddenPhotos(Favorites().bytes) }
        #expect(throws: CatalogError.document(.favorites, .damaged)) { try Favorites(HiddenPhotos().bytes) }
    }

    @Test("a counter above the limit is read as zero, and the document can be read again", arguments: [true, false])
    func counters(_ isMarked: Bool) throws {
        let entry = #""\#(try md5(1))":"189007199254740993@0a1b2c3d""#
        let (marked, removed) = isMarked ? (entry, "") : ("", entry)
        let read = try Favorites(
            ByteBuffer(string: #"{"favorites":{\#(marked)},"removed":{\#(removed)},"version":1}"#))
        #expect(read.contains(try md5(1)) == isMarked && String(buffer: read.bytes).contains("0@00000000"))
        #expect(try Favorites(read.bytes) == read)
    }

    @Test("a change without an effect is not recorded", arguments: Kind.allCases)
    func noChange(_ kind: Kind) throws { try noChange(kind.type) }

    private func noChange<Mark: PhotoMark>(_ mark: Mark.Type) throws {
        var marks = PhotoMarks<Mark>()
        marks.set([try md5(1): true], by: one)
        let before = marks
        marks.set([try md5(1): true, try md5(2): false], by: other)
        #expect(marks == before)
    }

    @Test("the later change wins, of any device; of two with one timestamp, the mark stays", arguments: Kind.allCases)
    func later(_ kind: Kind) throws { try later(kind.type) }

    private func later<Mark: PhotoMark>(_ mark: Mark.Type) throws {
        var base = PhotoMarks<Mark>()
        base.set([try md5(1): true], by: other)
        var (removed, added) = (base, base)
        removed.set([try md5(1): false], by: one)
        #expect(joined(base, removed).contents.isEmpty)
        added.set([try md5(2): true], by: one)
        removed.set([try md5(2): true], by: one)
        removed.set([try md5(2): false], by: one)
        #expect(joined(added, removed).contents.isEmpty)
        var (yes, no) = (PhotoMarks<Mark>(), PhotoMarks<Mark>())
        yes.set([try md5(3): true, try md5(4): true], by: one)
        no.set([try md5(4): true], by: other)
        #expect(joined(yes, no).contents == [try md5(3), try md5(4)])
    }

    private func joined<Mark>(_ left: PhotoMarks<Mark>, _ right: PhotoMarks<Mark>) -> PhotoMarks<Mark> {
        var (both, reverse) = (left, right)
        both.join(right)
        reverse.join(left)
        #expect(both == reverse)
        return both
    }

    @Test("joins are commutative, associative and idempotent", arguments: Kind.allCases)
    func laws(_ kind: Kind) throws { try laws(kind.type) }

    private func laws<Mark: PhotoMark>(_ mark: Mark.Type) throws {
        for seed in 0..<300 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            // Two of the devices have the same tag.
            let all = try ([1, 2, 2] as [UInt32]).map { device in
                var marks = PhotoMarks<Mark>()
                for _ in 0..<Int.random(in: 0...5, using: &generator) {
                    let content = try md5(.random(in: 1...3, using: &generator))
                    marks.set([content: Bool.random(using: &generator)], by: DeviceTag(value: device))
                }
                return marks
            }
            let left = joined(joined(all[0], all[1]), all[2])
            #expect(joined(all[0], joined(all[1], all[2])) == left, "seed \(seed)")
            #expect(joined(left, all[1]) == left, "seed \(seed)")
        }
    }

    @Test(
        "a malformed document is refused, and so is one of a newer version",
        arguments: Kind.allCases,
        [
            ("", .damaged), ("[]", .damaged), (#"{"version":1}"#, .damaged),
            (#"{"NAME":{"x":"1@00000001"},"removed":{},"version":1}"#, .damaged),
            (#"{"NAME":{"0123456789abcdef0123456789abcdef":""},"removed":{},"version":1}"#, .damaged),
            (#"{"NAME":{},"removed":{},"version":0}"#, .damaged),
            (#"{"NAME":{},"removed":{},"version":2}"#, .newerVersion),
        ] as [(String, CatalogError.DocumentProblem)])
    func refused(_ kind: Kind, _ document: (text: String, problem: CatalogError.DocumentProblem)) {
        refused(kind.type, document.text.replacing("NAME", with: "\(kind)"), document.problem)
    }

    private func refused<Mark: PhotoMark>(_ mark: Mark.Type, _ text: String, _ problem: CatalogError.DocumentProblem) {
        #expect(throws: CatalogError.document(Mark.document, problem)) {
            try PhotoMarks<Mark>(ByteBuffer(string: text))
        }
    }
}
