import Foundation
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

struct FolderScanTests {
    private func paths(_ scan: ScanResult) -> [String] { scan.files.map(\.path.description) }

    @Test("photos are found by content in every folder, in byte order")
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
        #expect(scan.leftOut.map { "\($0.path) \($0.reason)" } == ["empty.jpg empty", "notes.jpg unknownFormat"])
        #expect(scan.problems.isEmpty)
        #expect(scan.files.allSatisfy { $0.type == .jpeg })
    }

    @Test("links are not followed, so loops end and nothing outside the folder is read")
    func links() async throws {
        let folder = try TemporaryFolder()
        let outside = try TemporaryFolder()
        try outside.write("secret.jpg", PhotoBytes.jpeg(1))
        try folder.write("a/1.jpg", PhotoBytes.jpeg(2))
        try folder.link("a/loop", to: folder.path)
        try folder.link("a/out", to: outside.path)
        try folder.link("file.jpg", to: outside.subpath("secret.jpg"))
        let scan = try await FolderScan(root: folder.path).run()
        #expect(paths(scan) == ["a/1.jpg"])
        #expect(scan.leftOut.map(\.path.description) == ["a/loop", "a/out", "file.jpg"])
        #expect(scan.leftOut.allSatisfy { $0.reason == .link })
    }

    @Test("names keep their Unicode spelling")
    func spellings() async throws {
        let folder = try TemporaryFolder()
        let names = ["caf\u{e9}.jpg", "cafe\u{301}.jpg", "日本/空 白\n🌅.jpg"]
        for (index, name) in names.enumerated() { try folder.write(name, PhotoBytes.jpeg(index)) }
        let scan = try await FolderScan(root: folder.path).run()
        #expect(Set(scan.files.map(\.path)) == Set(names.compactMap { LibraryPath($0) }))
        #expect(scan.files.count == 3)
    }

    @Test("an unusable name is reported and the other files are found")
    func unusableName() async throws {
        let folder = try TemporaryFolder()
        try folder.write("ok.jpg", PhotoBytes.jpeg(1))
        try folder.writeUnusableName()
        let scan = try await FolderScan(root: folder.path).run()
        #expect(paths(scan) == ["ok.jpg"])
        #expect(scan.problems == [ScanProblem(path: "%%a%FFb", reason: .unusableName, size: 0)])
    }

    @Test("an unchanged file is not opened again")
    func known() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", Array("no photo by its bytes".utf8))
        let scan = try await FolderScan(root: folder.path) { _, _ in .heic }.run()
        #expect(scan.files.map(\.type) == [.heic])
    }

    @Test("the scan of a large folder ends soon after the task is cancelled")
    func cancelled() async throws {
        let folder = try TemporaryFolder()
        for index in 0..<1200 { try folder.write("\(index).jpg", [1]) }
        let looked = Mutex(0)
        let running = Mutex<Task<ScanResult, any Error>?>(nil)
        let scan = FolderScan(
            root: folder.path,
            knownType: { _, _ in
                looked.withLock { $0 += 1 }
                while running.withLock({ $0 == nil }) { sched_yield() }
                running.withLock { $0?.cancel() }
                return .jpeg
            })
        let task = Task { try await scan.run() }
        running.withLock { $0 = task }
        await #expect(throws: FileError.cancelled) { try await task.value }
        #expect((1...500).contains(looked.withLock { $0 }))
    }

    @Test("a folder with more files than one batch is scanned completely")
    func many() async throws {
        let folder = try TemporaryFolder()
        for index in 0..<1001 { try folder.write("\(index).jpg", [1]) }
        for index in 0..<501 { try folder.makeFolder("f\(index)") }
        let scan = FolderScan(root: folder.path, knownType: { _, _ in .jpeg })
        #expect(try await scan.run().files.count == 1001)
        #expect(try await scan.descend(into: nil).folders.count == 501)
    }

    @Test("a missing folder is an error and not an empty folder")
    func missing() async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: FileError.missing) { try await FolderScan(root: folder.subpath("none")).run() }
    }

    @Test(
        "an unreadable file or folder is reported and the others are found",
        .enabled(if: getuid() != 0, "the superuser may read everything")
    )
    func unreadable() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", PhotoBytes.jpeg(1))
        try folder.write("closed/b.jpg", PhotoBytes.jpeg(2))
        try folder.write("c.jpg", PhotoBytes.jpeg(3))
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.subpath("closed"))
        try manager.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.subpath("c.jpg"))
        defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.subpath("closed")) }
        let scan = try await FolderScan(root: folder.path).run()
        #expect(paths(scan) == ["a.jpg"])
        #expect(scan.problems.map(\.path) == ["c.jpg", "closed"])
        #expect(scan.problems.allSatisfy { $0.reason == .file(.denied) })
    }

    @Test("scanning and reading a file give the same fingerprint")
    func stamps() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a/b.jpg", PhotoBytes.jpeg(1))
        let file = try #require(try await FolderScan(root: folder.path).run().files.first)
        let inspection = try await FileInspection.read(file, at: folder.subpath("a/b.jpg"))
        #expect(inspection.fingerprint == file.fingerprint)
    }

    #if !canImport(Darwin)
        @Test("inode numbers of FAT, exFAT and FUSE volumes are not used")
        func inodes() {
            let mounts = """
                22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
                31 22 8:17 / /media/a\\040-\\040card rw - vfat /dev/sdb1 rw,fmask=0022
                32 22 259:300 / /media/b rw shared:2 master:3 - exfat /dev/nvme0n1p300 rw
                33 22 0:50 / /home/bob/phone rw - fuse.jmtpfs jmtpfs rw
                34 22 0:51 / /tmp rw - tmpfs tmpfs rw
                35 22 nonsense
                """
            let expected: Set<UInt64> = [8 << 8 | 17, 259 << 8 | 1 << 20 | 44, 50]
            #expect(InodeNumbers.devices(inMounts: mounts) == expected)
        }
    #endif
}
