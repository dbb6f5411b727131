import ForeignExports
import Foundation
import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Exports in folders, and in archives beside them.
struct ExportFolderTests {
    private static let year = "Takeout/Google Photos/Photos from 2023"

    private func add(
        _ name: String, _ seed: Int, taken: Int = 1_688_212_800, to folder: String, of device: ImportDevice
    )
        throws
    {
        try device.folder.write("\(folder)/\(name)", PhotoBytes.jpeg(seed))
        try device.folder.write("\(folder)/\(name).json", TakeoutJSON.photo(name, taken: taken))
    }

    @Test("an archive and the folder into which it was unpacked are one export")
    func unpacked() async throws {
        let device = try ImportDevice(.googlePhotos)
        try device.write("t.zip") {
            $0.add("\(Self.year)/a.jpg", PhotoBytes.jpeg(1))
            $0.add("\(Self.year)/a.jpg.json", TakeoutJSON.photo("a.jpg", taken: 1_688_212_800))
        }
        try add("a.jpg", 1, to: "t/\(Self.year)", of: device)
        for paths in [["t.zip", "t"], ["t", "t.zip"], ["t", "t/Takeout"]] {
            let summary = try await device.run(paths, state: paths.joined())
            #expect(summary.findings.ambiguous.isEmpty && summary.findings.mediaFiles == 1, "\(paths)")
        }
        let entries = try await device.entries()
        #expect(entries.keys.sorted() == ["G/2023/a.jpg", "G/2023/a.jpg.json"])
        #expect(entries["G/2023/a.jpg"]?.taken?.description == "2023-07-01T12:00:00Z")
    }

    @Test("files of two exports with one path and length, and other bytes, are two photos")
    func different() async throws {
        let device = try ImportDevice(.googlePhotos)
        try add("a.jpg", 1, to: "one/\(Self.year)", of: device)
        try add("a.jpg", 2, to: "two/\(Self.year)", of: device)
        let summary = try await device.run(["one", "two"])
        #expect(summary.findings.mediaFiles == 2)
        #expect(try await Set(device.entries().values.filter { $0.type == .jpeg }.map(\.md5)).count == 2)
    }

    @Test("folders of years that are given alone keep their photos and descriptions apart")
    func years() async throws {
        let device = try ImportDevice(.googlePhotos)
        try add("a.jpg", 1, taken: 1_656_676_800, to: "t/Photos from 2022", of: device)
        try device.folder.write("t/Photos from 2023/a.jpg", PhotoBytes.jpeg(2))
        try add("b.jpg", 3, to: "t/Photos from 2023", of: device)
        let summary = try await device.run(["t/Photos from 2022", "t/Photos from 2023"])
        #expect(summary.findings.withoutDescription == ["Photos from 2023/a.jpg"])
        let entries = try await device.entries()
        #expect(
            entries.keys.filter { $0.hasSuffix(".jpg") }.sorted() == ["G/2022/a.jpg", "G/2023/a.jpg", "G/2023/b.jpg"])
        #expect(entries["G/2023/a.jpg"]?.taken == nil)
    }

    @Test("archives in the folder of a Takeout are opened; what cannot be read is named")
    func unreadable() async throws {
        let device = try ImportDevice(.googlePhotos)
        try add("a.jpg", 1, to: "t/takeout-001/\(Self.year)", of: device)
        try device.write("t/takeout-002.zip") {
            $0.add("\(Self.year)/b.jpg", PhotoBytes.jpeg(2))
            $0.add("\(Self.year)/b.jpg.json", TakeoutJSON.photo("b.jpg", taken: 1_688_212_800))
        }
        try device.folder.write("t/takeout-003.zip", Array("PK no archive".utf8))
        try device.folder.write("t/takeout-004.tgz", [0x1f, 0x8b, 8])
        let deep = (0..<17).map { "\($0)" }.joined(separator: "/")
        try device.folder.write("t/deep/\(deep)/c.jpg", PhotoBytes.jpeg(3))
        let link = device.folder.subpath("t/link.jpg")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc/hostname")
        let summary = try await device.run(["t"])
        let reasons = Dictionary(uniqueKeysWithValues: summary.unreadable.map { ($0.path, $0.reason) })
        #expect(
            reasons == [
                "takeout-003.zip": .archive(.noDirectory), "takeout-004.tgz": .compressedTar,
                "link.jpg": .symbolicLink,
                "deep/\((0..<16).map { "\($0)" }.joined(separator: "/"))": .nestedTooDeeply,
            ])
        #expect(
            try await device.entries().keys.filter { $0.hasSuffix(".jpg") }.sorted() == [
                "G/2023/a.jpg", "G/2023/b.jpg",
            ])
    }

    #if os(Linux)
        @Test("a name that is not UTF-8 is named")
        func otherNames() async throws {
            let device = try ImportDevice(.googlePhotos)
            try add("a.jpg", 1, to: "t/\(Self.year)", of: device)
            let path = Array(device.folder.subpath("t/").utf8) + [0xe9] + Array(".jpg".utf8) + [0]
            let file = path.withUnsafeBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) { fopen($0.baseAddress, "w") }
            }
            try #require(fclose(file) == 0)
            let unreadable = try await device.run(["t"]).unreadable
            #expect(unreadable.map(\.reason) == [.nameNotUTF8])
        }
    #endif
}
