import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

struct RestoreTests {
    private func restore(
        _ fixture: BackupFixture, to target: TemporaryFolder,
        report: @escaping @Sendable (RestoreEvent) -> Void = { _ in }
    ) async throws -> RestoreSummary {
        try await Restore(store: fixture.store, user: .bob, pause: .none).run(into: target.path, report: report)
    }

    private func backedUp(
        _ count: Int, fault: @escaping FakeObjectStore.Fault = { _, _ in nil }
    ) async throws -> BackupFixture {
        let fixture = try BackupFixture(fault: fault)
        for index in 0..<count {
            let date = Date(timeIntervalSince1970: 1_500_000_000.25 + Double(index))
            try fixture.folder.write("d\(index % 3)/é\(index).jpg", PhotoBytes.jpeg(index), modified: date)
        }
        _ = try await fixture.backUp()
        return fixture
    }

    @Test("all files are restored byte for byte with names and dates")
    func everything() async throws {
        let fixture = try await backedUp(20)
        let target = try TemporaryFolder()
        let summary = try await restore(fixture, to: target)
        #expect(summary.isComplete)
        #expect(summary.progress.restoredFiles == 20)
        #expect(try target.files() == (try fixture.folder.files()))
        for file in try target.files() {
            #expect(try target.read(file) == (try fixture.folder.read(file)))
            #expect(try target.modified(file) == (try fixture.folder.modified(file)))
        }
    }

    @Test("a repeated restore downloads only missing files")
    func again() async throws {
        let fixture = try await backedUp(6)
        let target = try TemporaryFolder()
        _ = try await restore(fixture, to: target)
        try FileManager.default.removeItem(atPath: target.subpath("d0/é0.jpg"))
        fixture.store.clearLog()
        let summary = try await restore(fixture, to: target)
        #expect(summary.progress.alreadyThereFiles == 5)
        #expect(summary.progress.restoredFiles == 1)
        #expect(fixture.store.count("read", "photos/") == 1)
    }

    @Test("a different file of the same name is kept, and the photo is restored once under another name")
    func beside() async throws {
        let fixture = try await backedUp(1)
        let target = try TemporaryFolder()
        try target.write("d0/é0.jpg", Array("mine".utf8))
        let summary = try await restore(fixture, to: target)
        let name = try #require(summary.restoredBeside.first?.name)
        #expect(name.hasPrefix("é0 (restored "))
        #expect(try target.read("d0/é0.jpg") == Array("mine".utf8))
        #expect(try target.read("d0/\(name)") == PhotoBytes.jpeg(0))
        #expect(try await restore(fixture, to: target).progress.alreadyThereFiles == 1)
        #expect(try target.files().count == 2)
    }

    @Test("three photos under one name whose ending has 252 bytes are all restored")
    func longEnding() async throws {
        let fixture = try BackupFixture()
        let name = "x." + String(repeating: "e", count: 252)
        for device in 1...3 {
            let catalogs = CatalogStore(
                store: fixture.store, user: .bob, device: DeviceTag(value: UInt32(device)), pause: .none)
            let bytes = ByteBuffer(bytes: PhotoBytes.jpeg(device))
            let md5 = ContentDigest(of: bytes)
            _ = try await fixture.store.put(
                ObjectKey(known: StorageLayout.photo(.bob, md5: md5.description)), bytes, if: .always)
            let photo = CatalogEntry(
                path: try #require(LibraryPath(name)), md5: md5, size: Int64(bytes.readableBytes),
                modified: Timestamp(seconds: 100, nanoseconds: 0), type: .jpeg, media: MediaFacts())
            _ = try await catalogs.commit([.add(photo, replacing: nil)], onto: try await catalogs.load())
        }
        let target = try TemporaryFolder()
        let summary = try await Restore(store: fixture.store, user: .bob, pause: .none)
            .run(into: target.path) { _ in }
        #expect(summary.progress.restoredFiles == 3 && summary.failures.isEmpty)
        let contents = try target.files().map { try target.read($0) }
        #expect(Set(contents) == Set((1...3).map { PhotoBytes.jpeg($0) }))
    }

    @Test("only selected entries are restored")
    func selection() async throws {
        let fixture = try await backedUp(6)
        let target = try TemporaryFolder()
        let restore = Restore(store: fixture.store, user: .bob, pause: .none)
        var selection = PhotoSelection()
        selection.paths = ["d1"]
        let summary = try await restore.run(into: target.path, selection) { _ in }
        #expect(summary.progress.totalFiles == 2)
        #expect(try target.files() == ["d1/é1.jpg", "d1/é4.jpg"])
    }

    @Test("the companions of a selected photo are restored with it")
    func together() async throws {
        let fixture = try BackupFixture()
        let movie = PhotoBytes.box("ftyp", Array("qt  ".utf8) + PhotoBytes.big32(0) + Array("qt  ".utf8))
        for name in ["1/IMG_1.MOV", "2/IMG_1.MOV", "1/IMG_2.MOV"] {
            try fixture.folder.write(name, movie + Array(name.utf8))
        }
        try fixture.folder.write("1/IMG_1.JPG", PhotoBytes.jpeg(1))
        try fixture.folder.write("1/IMG_1.xmp", Array("<x:xmpmeta/>".utf8))
        #expect(try await fixture.backUp().progress.uploadedFiles == 5)
        let restore = Restore(store: fixture.store, user: .bob, pause: .none)
        for name in ["IMG_1.JPG", "IMG_1.MOV", "IMG_1.xmp"] {
            let target = try TemporaryFolder()
            var selection = PhotoSelection()
            selection.paths = ["1/\(name)"]
            _ = try await restore.run(into: target.path, selection) { _ in }
            #expect(try target.files() == ["1/IMG_1.JPG", "1/IMG_1.MOV", "1/IMG_1.xmp"])
        }
    }

    @Test("a large photo is downloaded in pieces")
    func large() async throws {
        let fixture = try BackupFixture()
        let bytes = PhotoBytes.jpeg(1, length: 5_000_000)
        try fixture.folder.write("a.jpg", bytes)
        _ = try await fixture.backUp()
        let target = try TemporaryFolder()
        #expect(try await restore(fixture, to: target).isComplete)
        #expect(try target.read("a.jpg") == bytes)
    }

    @Test("a transient fault is retried")
    func passing() async throws {
        let first = Mutex(true)
        let fixture = try await backedUp(3) { verb, key in
            guard verb == "read", key.hasPrefix("photos/") else { return nil }
            let isFirst = first.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return isFirst ? .unavailable("503") : nil
        }
        let target = try TemporaryFolder()
        #expect(try await restore(fixture, to: target).isComplete)
    }

    @Test("a missing content or one with the wrong MD5 is reported and leaves no file behind")
    func damaged() async throws {
        let fixture = try await backedUp(4)
        let objects = try await fixture.store.memory.list(prefix: "photos/", after: nil, limit: 10).objects
        let size = Int(objects[1].size)
        try await fixture.store.delete(objects[0].key, if: .always)
        try await fixture.store.put(objects[1].key, ByteBuffer(repeating: 1, count: size), if: .always)
        try await fixture.store.put(objects[2].key, ByteBuffer(repeating: 1, count: size + 1), if: .always)
        let target = try TemporaryFolder()
        let summary = try await restore(fixture, to: target)
        #expect(summary.failures.map(\.failure).count { $0 == .contentMismatch } == 2)
        #expect(summary.failures.map(\.failure).count { $0 == .notStored } == 1)
        #expect(try target.files().count == 1)
    }

    @Test("damaged photos are reported in any number, and the others are restored")
    func corrupted() async throws {
        let whole = ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(7))).description
        let fixture = try await backedUp(30) { verb, key in
            verb == "read" && key.hasPrefix("photos/") && !key.contains(whole) ? .corrupted("ObjectDamaged") : nil
        }
        let target = try TemporaryFolder()
        let summary = try await restore(fixture, to: target)
        #expect(summary.ending == .completed)
        #expect(summary.failures.count == 29)
        #expect(summary.failures.allSatisfy { $0.failure == .store(.corrupted("ObjectDamaged")) })
        #expect(fixture.store.count("read", "photos/") == 30)
        #expect(try target.files() == ["d1/é7.jpg"])
    }

    @Test("a store that becomes unavailable stops the restore even with few files")
    func gone() async throws {
        let gone = Mutex(false)
        let fixture = try await backedUp(2) { verb, key in
            if verb == "read", key.hasPrefix("photos/") { gone.withLock { $0 = true } }
            return gone.withLock { $0 } ? .unavailable("refused") : nil
        }
        let summary = try await restore(fixture, to: try TemporaryFolder())
        guard case .stopped(.storeUnavailable) = summary.ending else {
            Issue.record("ended as \(summary.ending)")
            return
        }
    }

    @Test("a leftover of an interrupted restore is removed by the next restore")
    func leftovers() async throws {
        let fixture = try await backedUp(1)
        let target = try TemporaryFolder()
        let entry = try #require(try await fixture.catalog().entries.first)
        try target.write("d0/\(RestoreTarget.partialName(for: entry))", Array("half".utf8))
        #expect(try await restore(fixture, to: target).isComplete)
        #expect(try target.files() == ["d0/é0.jpg"])
    }

    @Test("a cancelled restore can be repeated")
    func cancelled() async throws {
        let fixture = try await backedUp(40)
        let target = try TemporaryFolder()
        let task = Mutex<Task<RestoreSummary, any Error>?>(nil)
        let running = Task {
            try await restore(fixture, to: target) { event in
                if case .finished(_, _, let progress) = event, progress.finishedFiles == 5 {
                    task.withLock { $0?.cancel() }
                }
            }
        }
        task.withLock { $0 = running }
        _ = try await running.value
        #expect(try target.files().allSatisfy { !$0.contains(".part") })
        #expect(try await restore(fixture, to: target).isComplete)
        #expect(try target.files() == (try fixture.folder.files()))
    }
}
