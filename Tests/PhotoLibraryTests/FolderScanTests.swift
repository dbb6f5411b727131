import Foundation
import Testing

@testable import PhotoLibrary

struct FolderScanTests {
    private func paths(_ scan: ScanResult) -> [String] { scan.files.map(\.path.description) }

    @Test("Photos are found by content in every folder, in the order of their bytes")
    func found() async throws {
        let folder = try TemporaryFolder()
        try folder.write("b/2.txt", PhotoBytes.jpeg(1))
        try folder.write("b/1.jpg", PhotoBytes.jpeg(2))
        try folder.write("B.jpg", PhotoBytes.jpeg(3))
        try folder.write("b-a.jpg", PhotoBytes.jpeg(4))
        try folder.write("notes.jpg", Array("not a photo".utf8))
        try folder.write("empty.jpg", [])
        try folder.write(".photolala-x.part", PhotoBytes.jpeg(5))
        let scan = try await FolderScan(root: folder.path).run()
        #expect(paths(scan) == ["B.jpg", "b-a.jpg", "b/1.jpg", "b/2.txt"])
        #expect(scan.leftOut.map { "\($0.path) \($0.reason)" } == ["empty.jpg empty", "notes.jpg noPhotoOrVideo"])
        #expect(scan.problems.isEmpty)
        #expect(scan.files.allSatisfy { $0.type == .jpeg })
    }

    @Test("Links are not followed, so a loop ends and nothing outside is read")
    func links() async throws {
        let folder = try TemporaryFolder()
        let outside = try TemporaryFolder()
        try outside.write("secret.jpg", PhotoBytes.jpeg(1))
        try folder.write("a/1.jpg", PhotoBytes.jpeg(2))
        try folder.link("a/loop", to: folder.path)
        try folder.link("a/out", to: outside.path)
        try folder.link("file.jpg", to: outside.place("secret.jpg"))
        let scan = try await FolderScan(root: folder.path).run()
        #expect(paths(scan) == ["a/1.jpg"])
        #expect(scan.leftOut.map(\.path.description) == ["a/loop", "a/out", "file.jpg"])
        #expect(scan.leftOut.allSatisfy { $0.reason == .link })
    }

    @Test("Names keep their spelling")
    func spellings() async throws {
        let folder = try TemporaryFolder()
        let names = ["caf\u{e9}.jpg", "cafe\u{301}.jpg", "日本/空 白\n🌅.jpg"]
        for (index, name) in names.enumerated() { try folder.write(name, PhotoBytes.jpeg(index)) }
        let scan = try await FolderScan(root: folder.path).run()
        #expect(Set(scan.files.map(\.path)) == Set(names.compactMap { LibraryPath($0) }))
        #expect(scan.files.count == 3)
    }

    @Test("A name that is not UTF-8 is reported and the others are found")
    func unusableName() async throws {
        let folder = try TemporaryFolder()
        try folder.write("ok.jpg", PhotoBytes.jpeg(1))
        let odd: [CChar] = folder.path.utf8CString.dropLast() + [47, 97, -1, 98, 0]
        let file = try #require(fopen(odd, "w"))
        fclose(file)
        let scan = try await FolderScan(root: folder.path).run()
        #expect(paths(scan) == ["ok.jpg"])
        #expect(scan.problems == [ScanProblem(path: "a\u{fffd}b", reason: .unusableName)])
    }

    @Test("A file that has not changed is not opened again")
    func known() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", Array("no photo by its bytes".utf8))
        let scan = try await FolderScan(root: folder.path) { _, _ in .heic }.run()
        #expect(scan.files.map(\.type) == [.heic])
    }

    @Test("A folder that is not there is an error and not an empty one")
    func missing() async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: FileError.missing) { try await FolderScan(root: folder.place("none")).run() }
    }

    @Test(
        "What may not be read is reported and the rest is found",
        .enabled(if: getuid() != 0, "the superuser may read everything")
    )
    func unreadable() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", PhotoBytes.jpeg(1))
        try folder.write("closed/b.jpg", PhotoBytes.jpeg(2))
        try folder.write("c.jpg", PhotoBytes.jpeg(3))
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.place("closed"))
        try manager.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.place("c.jpg"))
        defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.place("closed")) }
        let scan = try await FolderScan(root: folder.path).run()
        #expect(paths(scan) == ["a.jpg"])
        #expect(scan.problems.map(\.path) == ["c.jpg", "closed"])
        #expect(scan.problems.allSatisfy { $0.reason == .file(.denied) })
    }
}
