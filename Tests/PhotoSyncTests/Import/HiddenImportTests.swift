import NIOCore
import PhotoCatalog
import PhotolalaTesting
import Testing

@testable import PhotoSync

/// What an import hides that is repeated or stops.
struct HiddenImportTests {
    private static let year = "T/Takeout/Google Photos/Photos from 2023"

    private func write(_ name: String, isArchived: Bool, to device: ImportDevice) throws {
        let json = TakeoutJSON.photo(name, taken: 1_688_212_800, #""archived":\#(isArchived),"#)
        try device.folder.write("\(Self.year)/\(name).json", json)
    }

    @Test("a content is hidden until none of its photos is hidden in the source")
    func copies() async throws {
        let device = try ImportDevice(.googlePhotos)
        for name in ["a.jpg", "b.jpg"] { try device.folder.write("\(Self.year)/\(name)", PhotoBytes.jpeg(1)) }
        var counts: [Int] = []
        for (first, second) in [(true, true), (true, false), (false, false)] {
            try write("a.jpg", isArchived: first, to: device)
            try write("b.jpg", isArchived: second, to: device)
            #expect(try await device.run(["T"]).backup.isComplete)
            counts.append(try await device.catalogs.hidden().contents.count)
        }
        #expect(counts == [1, 1, 0])
    }

    @Test("an import that stops hides what the library has")
    func stopped() async throws {
        let (stored, refused) = (Self.md5(1), Self.md5(2).description)
        let device = try ImportDevice(.googlePhotos) { verb, key in
            verb == "write" && key.contains(refused) ? .denied("no") : nil
        }
        try device.folder.write("\(Self.year)/a.jpg", PhotoBytes.jpeg(1))
        try write("a.jpg", isArchived: false, to: device)
        #expect(try await device.run(["T"]).backup.isComplete)
        try device.folder.write("\(Self.year)/b.jpg", PhotoBytes.jpeg(2))
        for name in ["a.jpg", "b.jpg"] { try write(name, isArchived: true, to: device) }
        #expect(try await device.run(["T"]).backup.ending == .stopped(.denied("no")))
        #expect(try await device.catalogs.hidden().contents == [stored])
    }

    private static func md5(_ seed: Int) -> ContentDigest {
        ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(seed)))
    }
}
