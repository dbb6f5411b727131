import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Uploads recorded by a backup after races and interruptions")
struct BackupRaceTests {
    private static let pointer = StorageLayout.catalogPointer(.bob)
    private static let mine = DeviceTag(value: 5)

    private func md5(_ bytes: [UInt8]) -> ContentDigest { ContentDigest(of: ByteBuffer(bytes: bytes)) }

    private func commit(_ changes: [CatalogChange], by device: UInt32, to store: any ObjectStore) async throws {
        let catalogs = CatalogStore(store: store, user: .bob, device: DeviceTag(value: device), pause: .none)
        _ = try await catalogs.commit(changes, onto: try await catalogs.load())
    }

    /// An action that runs once, before the device next moves the pointer, and a count of the moves since.
    private final class InjectedAction: Sendable {
        private let state = Mutex<(act: (@Sendable () async -> Void)?, isOver: Bool, moves: Int)>((nil, false, 0))

        var isOver: Bool { state.withLock { $0.isOver } }

        func set(_ act: @escaping @Sendable () async -> Void) { state.withLock { $0 = (act, false, 0) } }

        func consume() -> (@Sendable () async -> Void)? {
            state.withLock { state in
                state.moves += 1
                if state.moves > 1 { state.isOver = true }
                defer { state.act = nil }
                return state.act
            }
        }
    }

    @Test(
        "two devices that add one photo at the same time do not move it to the trash", arguments: [1, 9] as [UInt32])
    func together(other: UInt32) async throws {
        let act = InjectedAction()
        var fixture = try BackupFixture { verb, key in
            if verb == "put", key == Self.pointer { await act.consume()?() }
            return nil
        }
        fixture.device = Self.mine
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        let path = try #require(LibraryPath("a.jpg"))
        let entry = CatalogEntry(
            path: path, md5: md5(PhotoBytes.jpeg(1)), size: Int64(PhotoBytes.jpeg(1).count),
            modified: Timestamp(seconds: 1, nanoseconds: 0), type: .jpeg, media: MediaFacts())
        let memory = fixture.store.memory
        act.set { try? await commit([.add(entry, replacing: nil)], by: other, to: memory) }
        #expect(try await fixture.backUp().isComplete)
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(2))
        #expect(try await fixture.backUp().isComplete)
        let catalog = try await fixture.catalog()
        #expect(catalog.count == 2 && catalog.holds(path, entry.md5))
    }

    @Test("a commit that cannot be read back is complete, and a restored photo is shown")
    func unreadAfterwards() async throws {
        let act = InjectedAction()
        var fixture = try BackupFixture { verb, key in
            if verb == "put", key == Self.pointer { await act.consume()?() }
            return verb == "read" && key.hasPrefix("catalogs/") && act.isOver ? .unavailable("503") : nil
        }
        fixture.device = Self.mine
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        #expect(try await fixture.backUp().isComplete)
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(2))
        let theirs = try (0..<400).map { try CatalogChange.photo("theirs/\($0).jpg", seed: 1000 + $0) }
        let memory = fixture.store.memory
        act.set { try? await commit(theirs, by: 9, to: memory) }
        let summary = try await fixture.backUp()
        #expect(summary.isComplete && summary.catalogEntries == nil)
        #expect(act.isOver)
        act.set {}
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(1))
        #expect(try await fixture.backUp().isComplete)
        let path = try #require(LibraryPath("a.jpg"))
        let catalog = try await fixture.catalog()
        #expect(catalog.count == 401 && catalog[path]?.md5 == md5(PhotoBytes.jpeg(1)))
    }

    @Test("after a kill at any point, later backups treat edits as edits and restored contents as restored")
    func killed() async throws {
        let copies = Mutex<[TemporaryFolder]>([])
        let state = Mutex("")
        let copy = { @Sendable in
            let folder = try? TemporaryFolder(copyOf: state.withLock { $0 })
            copies.withLock { $0 += folder.map { [$0] } ?? [] }
        }
        var fixture = try BackupFixture { verb, key in
            // From here on, a kill leaves a commit that is not recorded in the journal.
            if verb == "put", key == Self.pointer { copy() }
            return nil
        }
        state.withLock { $0 = fixture.state.path }
        (fixture.device, fixture.settings.commitAfterFiles) = (Self.mine, 4)
        for index in 0..<12 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await fixture.backUp { event in
            if case .finished = event { copy() }
        }
        let left = copies.withLock { $0 }
        #expect(left.count >= 15)
        for folder in left {
            let memory = fixture.store.memory.copy { Date(timeIntervalSince1970: 1_800_000_000) }
            let again = BackupFixture(like: fixture, state: folder, store: FakeObjectStore(memory))
            let summary = try await again.backUp()
            #expect(summary.isComplete && summary.progress.uploadedFiles == 0)
            for name in ["0.jpg", "11.jpg"] {
                let path = try #require(LibraryPath(name))
                let before = try fixture.folder.read(name)
                try fixture.folder.write(name, PhotoBytes.jpeg(99))
                _ = try await again.backUp()
                #expect(try await again.catalog().count == 12)
                try fixture.folder.write(name, before)
                _ = try await again.backUp()
                let catalog = try await again.catalog()
                #expect(catalog.count == 12 && catalog[path]?.md5 == md5(before))
            }
        }
    }
}
