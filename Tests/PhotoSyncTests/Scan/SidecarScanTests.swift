import Foundation
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

struct SidecarScanTests {
    private static let xmp = Array("\u{feff}<?xpacket begin=''?><x:xmpmeta/>".utf8)

    @Test("sidecars are found with their photo and omitted without it")
    func sidecars() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", PhotoBytes.jpeg(1))
        try folder.write("a.xmp", Self.xmp)
        try folder.write("a.jpg.xmp", Self.xmp)
        try folder.write("a.AAE", Array("<?xml version=\"1.0\"?><plist/>".utf8))
        try folder.write("a.jpg.json", Array(" {\"title\": \"a.jpg\"}".utf8))
        try folder.write("b.xmp", Self.xmp)
        try folder.write("c/a.xmp", Self.xmp)
        try folder.write("package.json", Array("{}".utf8))
        try folder.write("a.json.xmp", Array("not XML".utf8))
        let scan = try await FolderScan(root: folder.path).run()
        #expect(scan.files.map(\.path.description) == ["a.AAE", "a.jpg", "a.jpg.json", "a.jpg.xmp", "a.xmp"])
        #expect(scan.files.map(\.type) == [.appleEdits, .jpeg, .takeoutDescription, .xmp, .xmp])
        #expect(
            scan.leftOut.map { "\($0.path) \($0.reason)" } == [
                "a.json.xmp noPhotoOrVideo", "b.xmp withoutPhoto", "c/a.xmp withoutPhoto",
                "package.json noPhotoOrVideo",
            ])
    }

    @Test("a photo with the file extension of a sidecar is a photo")
    func disguised() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.xmp", PhotoBytes.jpeg(1))
        #expect(try await FolderScan(root: folder.path).run().files.map(\.type) == [.jpeg])
    }

    @Test("names that differ only in case or normalization are kept apart and reported")
    func clashes() async throws {
        let folder = try TemporaryFolder()
        for (index, name) in ["caf\u{e9}.jpg", "cafe\u{301}.jpg", "A.jpg", "a.JPG", "b.jpg", "x/1.jpg", "X/2.jpg"]
            .enumerated()
        {
            try folder.write(name, PhotoBytes.jpeg(index))
        }
        let scan = try await FolderScan(root: folder.path).run()
        #expect(scan.files.count == 7)
        #expect(
            scan.clashes.map { $0.paths.map(\.description.utf8.count) } == [[5, 5], [1, 1], [10, 9]])
        #expect(scan.clashes[0].paths.map(\.description) == ["A.jpg", "a.JPG"])
    }

    @Test("an unchanged foreign file is not opened again")
    func foreign() async throws {
        let folder = try TemporaryFolder()
        try folder.write("notes.jpg", Array("no photo".utf8))
        let first = try await FolderScan(root: folder.path).descend(into: nil)
        #expect(first.nonMedia.map(\.path.description) == ["notes.jpg"])
        let stamp = first.nonMedia[0].fingerprint
        // If it were opened, it would be seen to be a photo now.
        try folder.write("notes.jpg", PhotoBytes.jpeg(1))
        let again = try await FolderScan(root: folder.path, isNonMedia: { _, _ in true }).descend(into: nil)
        #expect(again.files.isEmpty && again.nonMedia.isEmpty && again.leftOut.count == 1)
        let changed = try await FolderScan(root: folder.path, isNonMedia: { $1 == stamp }).descend(into: nil)
        #expect(changed.files.count == 1)
    }

    @Test("a sidecar without its photo is not opened again until the photo exists")
    func stray() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.xmp", Self.xmp)
        try folder.write("b.json", Array("{}".utf8))
        let first = try await FolderScan(root: folder.path).descend(into: nil)
        #expect(first.nonMedia.map(\.path.description) == ["a.xmp", "b.json"])
        // If it were opened, it would be seen to be a photo now.
        try folder.write("a.xmp", PhotoBytes.jpeg(1))
        let scan = FolderScan(root: folder.path, isNonMedia: { path, _ in path.name != "a.jpg" })
        let again = try await scan.descend(into: nil)
        #expect(again.files.isEmpty && again.nonMedia.isEmpty)
        #expect(again.leftOut.map { "\($0.path) \($0.reason)" } == ["a.xmp withoutPhoto", "b.json noPhotoOrVideo"])
        try folder.write("a.xmp", Self.xmp)
        try folder.write("a.jpg", PhotoBytes.jpeg(2))
        let both = try await scan.descend(into: nil)
        #expect(both.files.map(\.type) == [.jpeg, .xmp] && both.leftOut.count == 1)
    }

    @Test("a wide and deep tree is found completely in path order")
    func tree() async throws {
        let folder = try TemporaryFolder()
        var names: [String] = []
        for outer in 0..<9 { for inner in 0..<9 { names.append("\(outer)/\(inner)/\(outer * inner).jpg") } }
        names.append((0..<40).map { "d\($0)" }.joined(separator: "/") + "/deep.jpg")
        for (index, name) in names.enumerated() { try folder.write(name, PhotoBytes.jpeg(index)) }
        let scan = try await FolderScan(root: folder.path).run()
        #expect(
            scan.files.map(\.path.description)
                == names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    }
}
