import NIOCore
import Testing

@testable import PhotoCatalog

struct ExifRemovalTests {
    static func clean(_ block: [UInt8]) -> [UInt8] { ExifRemoval.clean(block) }

    private func structure(_ block: [UInt8]) throws -> TIFFStructure {
        try #require(TIFFStructure(ByteWindow(ByteBuffer(bytes: block))))
    }

    @Test(arguments: [false, true])
    func `orientation, dates and camera remain, and everything else becomes zeros`(isBig: Bool) throws {
        let block = ExifSample.phone(isBig: isBig)
        let clean = Self.clean(block)
        #expect(clean.count == block.count)
        #expect(!clean.contains(secret))
        let structure = try structure(clean)
        #expect(structure.orientation == 6)
        #expect(structure.first.text(0x010f) == Array("Apple\0".utf8))
        let photo = try #require(structure.exifDirectory)
        #expect(photo.text(0x9003) == Array("2024:05:01 12:30:45\0".utf8))
        #expect(photo.text(0x9011) == Array("+02:00\0".utf8))
        #expect(photo.fractions(0x829a).map { [$0.0, $0.1] } == [[1, 60]])
        #expect(photo.number(0xa005) != nil)
        #expect(structure.directory(0x8825) == nil)
        #expect(structure.first.next == 0)
        #expect(photo.text(0xa431) == nil)
        #expect(Self.clean(clean) == clean)
    }

    @Test func `of several fields with one tag the first counts`() throws {
        // Two orientations, of which the second is valid.
        let block: [UInt8] =
            Array("II*\0".utf8) + [8, 0, 0, 0, 2, 0]
            + [0x12, 1, 2, 0, 200, 0, 0, 0, 0, 0, 0, 0] + [0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0] + [0, 0, 0, 0]
        #expect(Self.clean(block).allSatisfy { $0 == 0 })
        #expect(try structure(Self.clean(Array(block.prefix(8)) + [1, 0] + block.suffix(16))).orientation == 6)
    }

    @Test func `no byte of a location remains, whatever its length`() {
        let short: ExifSample.Fields = [1: .text("N"), 2: .bytes([0xaa, 0xab]), 4: .bytes([0xac, 0xad, 0xae])]
        let clean = Self.clean(ExifSample([0x0112: .short(1), 0x8825: .directory(short)]).bytes)
        #expect(!clean.contains { (0xaa...0xae).contains($0) })
        // The header, one field and its number.
        #expect(clean.count { $0 != 0 } == 2 + 1 + 1 + 1 + 2 + 1 + 1 + 1)
    }

    @Test func `a thumbnail is removed, because it may have a location of its own`() throws {
        let thumbnail = Array("\u{1}\(secret)".utf8)
        var block = ExifSample([0x0112: .short(6)], next: [0x0201: .long(9999), 0x0202: .long(17)]).bytes
        let place = try #require(block.indices.first { block[$0...].starts(with: big32(9999)) })
        block = block.replacing(at: place, with: big32(block.count)) + thumbnail
        let clean = Self.clean(block)
        #expect(!clean.contains(secret))
        #expect(try structure(clean).orientation == 6)
    }

    @Test func `a field of an unusual type, length or form is removed`() throws {
        let long = String(repeating: "x", count: 128)
        let fields: ExifSample.Fields = [
            0x010f: .bytes(Array("Apple".utf8)), 0x0110: .text(long), 0x0112: .short(6), 0x0132: .text(secret),
            0x0128: .bytes([0xaa, 0xab]),
        ]
        let clean = Self.clean(ExifSample(fields).bytes)
        let first = try structure(clean).first
        #expect(!clean.contains(0xaa))
        #expect(first.number(0x0112) == 6)
        for tag: UInt16 in [0x010f, 0x0110, 0x0132] { #expect(first.text(tag) == nil) }
    }

    @Test func `a kept field that points to removed bytes is removed`() throws {
        let note: ExifSample.Value = .bytes(Array("\(secret)\0".utf8))
        let hidden: [(fields: ExifSample.Fields, next: ExifSample.Fields)] = [
            ([0x8825: .directory([27: note])], [:]), ([0x8769: .directory([0x9003: .text(""), 0x927c: note])], [:]),
            ([0xc4a5: note], [:]), ([:], [0x010e: note]),
        ]
        for (fields, next) in hidden {
            let kept: ExifSample.Fields = [0x010f: .text(secret), 0x0112: .short(6)]
            var block = ExifSample(kept.merging(fields) { $1 }, next: next).bytes + zeros(8)
            #expect(Self.clean(block).contains(secret))
            // The value moves to the removed text.
            let copies = block.indices.filter { block[$0...].starts(with: Array(secret.utf8)) }
            try #require(copies.count == 2)
            block = block.replacing(at: 18, with: big32(copies[1]))
            block = block.replacing(at: copies[0], with: zeros(secret.utf8.count))
            let clean = Self.clean(block)
            #expect(!clean.contains(secret))
            #expect(try structure(clean).orientation == 6)
        }
    }

    @Test func `a malformed block becomes zeros`() {
        let block = ExifSample.phone()
        let zeros = [UInt8](repeating: 0, count: block.count)
        #expect(Self.clean(block.replacing(at: 0, with: Array("XX".utf8))) == zeros)
        #expect(Self.clean(block.replacing(at: 2, with: [0, 43])) == zeros)
        #expect(Self.clean(block.replacing(at: 4, with: big32(4))) == zeros)
        #expect(Self.clean(block.replacing(at: 4, with: big32(block.count))) == zeros)
        #expect(Self.clean(block.replacing(at: 8, with: big16(0))) == zeros)
        #expect(Self.clean(block.replacing(at: 8, with: big16(513))) == zeros)
        let long = ExifSample(Dictionary(uniqueKeysWithValues: (256..<769).map { ($0, .short(1)) })).bytes
        #expect(Self.clean(long).allSatisfy { $0 == 0 })
        #expect(Self.clean([]).isEmpty)
        for count in 0..<40 { #expect(Self.clean(Array(block.prefix(count))).allSatisfy { $0 == 0 }) }
    }

    @Test func `a directory inside another one is removed`() throws {
        let first = ExifSample([0x0112: .short(6), 0x8769: .long(8)]).bytes
        #expect(try structure(Self.clean(first)).exifDirectory == nil)
        // Neither is trusted if both have fields that remain.
        let both = ExifSample([0x0112: .short(6), 0x8769: .long(8), 0xa001: .short(1)]).bytes
        #expect(Self.clean(both).allSatisfy { $0 == 0 })
    }
}
