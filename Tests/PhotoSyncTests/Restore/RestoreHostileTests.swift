import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

struct RestoreHostileTests {
    /// A store whose catalog has one photo under each of the paths.
    private func store(_ paths: [String]) async throws -> FakeObjectStore {
        let store = FakeObjectStore()
        let bytes = ByteBuffer(bytes: PhotoBytes.jpeg(1))
        let md5 = ContentDigest(of: bytes)
        try await store.put(ObjectKey(known: StorageLayout.photo(.bob, md5: md5.description)), bytes, if: .always)
        let changes = try paths.map { path in
            let entry = CatalogEntry(
                path: try #require(LibraryPath(path)), md5: md5, size: Int64(bytes.readableBytes),
                modified: Timestamp(seconds: 5, nanoseconds: 0), type: .jpeg, media: MediaFacts()
            )
            return CatalogChange.add(entry, replacing: nil)
        }
        let catalogs = CatalogStore(store: store, user: .bob, pause: .none)
        _ = try await catalogs.commit(changes, onto: try await catalogs.load())
        return store
    }

    private func restore(_ store: FakeObjectStore, to target: TemporaryFolder) async throws -> RestoreSummary {
        try await Restore(store: store, user: .bob, pause: .none).run(into: target.path) { _ in }
    }

    @Test("sizes whose sum overflows are counted up to the maximum")
    func hugeSizes() async throws {
        let store = FakeObjectStore()
        let changes = try (1...3).map { seed in
            let entry = CatalogEntry(
                path: try #require(LibraryPath("\(seed).jpg")), md5: try .seeded(seed), size: .max,
                modified: Timestamp(seconds: 5, nanoseconds: 0), type: .jpeg, media: MediaFacts()
            )
            return CatalogChange.add(entry, replacing: nil)
        }
        let catalogs = CatalogStore(store: store, user: .bob, pause: .none)
        _ = try await catalogs.commit(changes, onto: try await catalogs.load())
        let summary = try await restore(store, to: try TemporaryFolder())
        #expect(summary.progress.failedFiles == 3)
        #expect(summary.progress.totalBytes == .max && summary.progress.finishedBytes == .max)
    }

    @Test("a link in place of a folder is not followed out of the target")
    func linkedFolder() async throws {
        let (target, outside) = (try TemporaryFolder(), try TemporaryFolder())
        try target.link("album", to: outside.path)
        let summary = try await restore(try await store(["album/a.jpg", "ok.jpg"]), to: target)
        #expect(summary.failures.map(\.failure) == [.file(.wrongKind)])
        #expect(try outside.files().isEmpty)
        #expect(try target.read("ok.jpg") == PhotoBytes.jpeg(1))
    }

    @Test("a link in place of a file is neither followed nor replaced")
    func linkedFile() async throws {
        let (target, outside) = (try TemporaryFolder(), try TemporaryFolder())
        try outside.write("victim", Array("mine".utf8))
        try target.link("a.jpg", to: outside.subpath("victim"))
        let summary = try await restore(try await store(["a.jpg"]), to: target)
        #expect(summary.restoredBeside.count == 1)
        #expect(try outside.read("victim") == Array("mine".utf8))
        let destination = try FileManager.default.destinationOfSymbolicLink(atPath: target.subpath("a.jpg"))
        #expect(destination == outside.subpath("victim"))
    }

    @Test("a file and a folder of one name are both restored, the file under a conflict name")
    func fileAndFolder() async throws {
        let target = try TemporaryFolder()
        let summary = try await restore(try await store(["a", "a/b.jpg", "c.jpg"]), to: target)
        #expect(summary.ending == .completed)
        #expect(try target.read("c.jpg") == PhotoBytes.jpeg(1))
        #expect(summary.failures.isEmpty && summary.progress.restoredFiles == 3)
        let names = try target.files()
        #expect(names.contains("a/b.jpg") && names.contains { $0.hasPrefix("a (conflict ") })
    }

    @Test("a folder in place of a file is kept")
    func folderInTheWay() async throws {
        let target = try TemporaryFolder()
        try target.makeFolder("a.jpg")
        try target.write("a.jpg/inside.txt", Array("mine".utf8))
        let summary = try await restore(try await store(["a.jpg"]), to: target)
        #expect(summary.restoredBeside.count == 1)
        #expect(try target.read("a.jpg/inside.txt") == Array("mine".utf8))
    }

    @Test("a path longer than the file system allows is reported and the others are restored")
    func longPath() async throws {
        let target = try TemporaryFolder()
        let long = (0..<15).map { _ in String(repeating: "x", count: 250) }.joined(separator: "/") + "/a.jpg"
        let summary = try await restore(try await store([long, "ok.jpg"]), to: target)
        #expect(summary.ending == .completed)
        #expect(try target.read("ok.jpg") == PhotoBytes.jpeg(1))
    }

    @Test("a catalog with a path outside the target is refused entirely")
    func escapingCatalog() async throws {
        let store = FakeObjectStore()
        let md5 = try ContentDigest.seeded(1)
        let text = LegacyCatalog.header + "../evil.jpg,\(md5),0,2024-01-02T03:04:05Z,,image/jpeg\n"
        try await store.putSnapshot(ByteBuffer(string: text))
        let target = try TemporaryFolder()
        await #expect(throws: RestoreError.selection(.catalog(.malformedRow(2, .value(column: "path"))))) {
            _ = try await restore(store, to: target)
        }
    }
}
