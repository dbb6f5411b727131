import NIOCore
import PhotoCatalog
import PhotolalaTesting
import Testing

@testable import ForeignExports

struct ZipDirectoryTests {
    /// Reads the directory of an archive that is in memory.
    private func members(_ archive: [UInt8]) throws(ZipError) -> [ZipMember] {
        let tail = ByteBuffer(bytes: archive.suffix(ZipDirectory.tailLength))
        let directory =
            switch try ZipDirectory.tail(tail, size: Int64(archive.count)) {
            case .directory(let directory): directory
            case .zip64(let position):
                try ZipDirectory(
                    zip64Record: ByteBuffer(bytes: archive.dropFirst(Int(position)).prefix(56)),
                    size: Int64(archive.count))
            }
        return try directory.members(
            ByteBuffer(bytes: archive.dropFirst(Int(directory.offset)).prefix(Int(directory.length))))
    }

    @Test("files are listed with name, size, date and compression", arguments: [false, true])
    func list(isZip64: Bool) throws {
        var builder = ZipBuilder()
        builder.add("Takeout/ä.jpg", [1, 2, 3])
        builder.add("Takeout/b.jpg", [4, 5], .deflated)
        let archive = builder.bytes(isZip64: isZip64)
        let found = try members(archive)
        #expect(found.map(\.name) == ["Takeout/ä.jpg", "Takeout/b.jpg"])
        #expect(found.map(\.size) == [3, 2])
        #expect(found.map(\.isCompressed) == [false, true])
        #expect(found[0].modified.description == "2024-01-01T12:00:00Z")
        #expect(found.allSatisfy { $0.refusal == nil })
        let second = try #require(found[1].start(afterLocalHeader: Array(archive[Int(found[1].offset)...].prefix(30))))
        #expect(Array(archive[Int(second)...].prefix(7)) == [1, 2, 0, 0xfd, 0xff, 4, 5])
    }

    @Test("encrypted files, unknown compression and impossible sizes are refused")
    func refusals() throws {
        var builder = ZipBuilder()
        builder.add("a", [1], .encrypted)
        builder.add("b", [1], .unknownCompression)
        builder.add("c", [1], .bomb)
        #expect(try members(builder.bytes()).map(\.refusal) == [.encrypted, .unknownCompression, .suspiciousSize])
    }

    @Test("an archive without its end, with a wrong count, and with overlapping files is damaged")
    func damaged() throws {
        var builder = ZipBuilder()
        for name in ["a.jpg", "b.jpg"] { builder.add(name, Array(repeating: 7, count: 50)) }
        let whole = builder.bytes()
        for length in [0, 1, 21, whole.count / 2, whole.count - 23] {
            #expect(throws: ZipError.noDirectory) { try members(Array(whole.prefix(length))) }
        }
        var miscounted = whole
        miscounted[whole.count - 12] = 3
        #expect(throws: ZipError.damagedDirectory) { try members(miscounted) }
        var overlapping = whole
        // The position of the second file, in its record.
        overlapping[whole.count - 22 - 9] = 10
        #expect(throws: ZipError.damagedDirectory) { try members(overlapping) }
    }

    @Test("no mutation of an archive crashes its reader")
    func mutated() throws {
        var builder = ZipBuilder()
        for name in ["a.jpg", "b.jpg"] { builder.add(name, [1, 2, 3], .deflated) }
        for isZip64 in [false, true] {
            let whole = builder.bytes(isZip64: isZip64)
            var readable = 0
            for position in whole.indices {
                for value in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
                    var bytes = whole
                    bytes[position] = value
                    if (try? members(bytes)) != nil { readable += 1 }
                }
            }
            #expect((1..<whole.count * 5).contains(readable))
        }
    }
}
