import Foundation
import ObjectStorage
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync
@testable import PhotolalaClient

@Suite("Removals in a source") struct SourceRemovalTests {
    private var fixture: SourceFixture
    private let source = FakePhotoSource()

    init() async throws {
        fixture = try SourceFixture()
        fixture.device = DeviceTag(deviceID: "0000a1b2")
        for seed in 1...4 { source.add("\(seed)", PhotoBytes.jpeg(seed)) }
        source.edit("4", PhotoBytes.jpeg(4), PhotoBytes.jpeg(9), modified: SourceFixture.taken + 60)
        #expect(try await fixture.sync(source).trashed.isEmpty)
        source.clearLog()
    }

    private func shown() async throws -> [String] { try await fixture.catalog().map { Self.name($0.path) } }

    /// The stem of a path without its mark, and `edited` of an edited version.
    private static func name(_ path: LibraryPath) -> String {
        path.name.prefix { $0 != " " } + (path.name.contains("edited") ? " edited" : "")
    }

    private func trash() async throws -> [CatalogEntry] {
        try await CatalogStore(store: fixture.store, user: .bob, pause: .none).load().catalog.trash.map { $0 }
    }

    @Test("the files of a removed asset move to the trash, and only changes are read")
    func removed() async throws {
        source.remove("4")
        source.add("5", PhotoBytes.jpeg(5))
        let summary = try await fixture.sync(source)
        #expect(summary.trashed.map(Self.name) == ["4 edited", "4"] && summary.backup.isComplete)
        #expect(Set(source.requests) == ["5"] && source.reads == ["5/photo"])
        #expect(try await shown() == ["1", "2", "3", "5"])
        #expect(try await trash().count == 2)
        source.clearLog()
        #expect(try await fixture.sync(source).trashed.isEmpty && source.requests.isEmpty)
    }

    @Test("by default a removed asset stays, also in later syncs")
    func kept() async throws {
        source.remove("2")
        #expect(try await fixture.sync(source, .keep).trashed.isEmpty)
        #expect(try await fixture.sync(source).trashed.isEmpty)
        #expect(try await trash().isEmpty)
    }

    @Test("the edited version moves to the trash when the edit is reverted")
    func reverted() async throws {
        source.add("4", PhotoBytes.jpeg(4))
        #expect(try await fixture.sync(source).trashed.map(Self.name) == ["4 edited"])
        #expect(try await shown() == ["1", "2", "3", "4"])
    }

    @Test("an asset that was removed and restored between two syncs stays")
    func restoredBefore() async throws {
        source.remove("2")
        source.add("2", PhotoBytes.jpeg(2))
        #expect(try await fixture.sync(source).trashed.isEmpty)
        #expect(try await shown().contains("2"))
    }

    @Test("an asset that is not accessible stays until its removal is reported")
    func hidden() async throws {
        source.hide("2")
        #expect(try await fixture.sync(source).trashed.isEmpty)
        source.forgetChanges()
        source.add("5", PhotoBytes.jpeg(5))
        #expect(try await fixture.sync(source).trashed.isEmpty)
        source.remove("2")
        #expect(try await fixture.sync(source).trashed.map(Self.name) == ["2"])
    }

    @Test("with limited access nothing counts as removed, and assets that are accessible again are not read again")
    func limited() async throws {
        source.setLimited(true)
        source.hide("1")
        source.hide("2")
        source.remove("3")
        #expect(try await fixture.sync(source).trashed.isEmpty)
        source.setLimited(false)
        source.hide("1", false)
        #expect(try await fixture.sync(source).trashed.isEmpty)
        source.remove("1")
        #expect(try await fixture.sync(source).trashed.map(Self.name) == ["1"])
        #expect(try await shown() == ["2", "3", "4 edited", "4"])
    }

    @Test("many removals are held back until they are confirmed")
    func held() async throws {
        for seed in 10..<40 { source.add("\(seed)", PhotoBytes.jpeg(seed)) }
        _ = try await fixture.sync(source)
        for seed in 10..<31 { source.remove("\(seed)") }
        for _ in 1...2 {
            let held = try await fixture.sync(source)
            #expect(held.trashed.isEmpty && held.heldAssets == 21 && held.backup.isComplete)
        }
        let confirmed = try await fixture.sync(source, .moveAllToTrash)
        #expect(confirmed.trashed.count == 21 && confirmed.heldAssets == 0)
        source.remove("31")
        #expect(try await fixture.sync(source).trashed.count == 1, "confirmed removals do not count as recent ones")
    }

    @Test("removals of two days count together", arguments: [(0, 0), (1, 0), (2, 10)])
    func recent(later days: Int, moved: Int) async throws {
        for seed in 10..<40 { source.add("\(seed)", PhotoBytes.jpeg(seed)) }
        _ = try await fixture.sync(source)
        for seed in 10..<21 { source.remove("\(seed)") }
        #expect(try await fixture.sync(source).trashed.count == 11)
        for seed in 21..<31 { source.remove("\(seed)") }
        var later = fixture
        later.day += days
        let summary = try await later.sync(source)
        #expect(summary.trashed.count == moved && summary.heldAssets == 10 - moved)
    }

    @Test("the removal of all assets is held back")
    func emptied() async throws {
        for seed in 1...4 { source.remove("\(seed)") }
        let held = try await fixture.sync(source)
        #expect(held.trashed.isEmpty && held.heldAssets == 4)
        #expect(try await fixture.sync(source, .moveAllToTrash).trashed.count == 5)
    }

    @Test("removed assets whose contents other assets have are never too many")
    func moved() async throws {
        for seed in 10..<40 { source.add("\(seed)", PhotoBytes.jpeg(seed)) }
        _ = try await fixture.sync(source)
        for seed in 10..<40 {
            source.remove("\(seed)")
            source.add("new \(seed)", PhotoBytes.jpeg(seed))
        }
        let summary = try await fixture.sync(source)
        #expect(summary.trashed.count == 30 && summary.heldAssets == 0)
    }

    @Test("an asset that returns is restored from the trash, unless its content differs", arguments: [2, 8])
    func returned(content: Int) async throws {
        source.remove("2")
        _ = try await fixture.sync(source)
        source.add("2", PhotoBytes.jpeg(content))
        let summary = try await fixture.sync(source)
        #expect(summary.restored.map(Self.name) == (content == 2 ? ["2"] : []))
        #expect(try await trash().count == (content == 2 ? 0 : 1))
        #expect(try await fixture.content(at: "/2 (") == PhotoBytes.jpeg(content))
        #expect(try await fixture.sync(source).restored.isEmpty)
    }

    @Test("an asset that returns stays in the trash to which another device moved it")
    func trashedElsewhere() async throws {
        source.remove("2")
        let path = try #require(try await fixture.sync(source).trashed.first)
        let other = CatalogStore(
            store: fixture.store, user: .bob, device: DeviceTag(deviceID: "ffff0000"), pause: .none)
        var version = try await other.load()
        let md5 = try #require(version.catalog.trash.first?.md5)
        for change in [CatalogChange.restoreFromTrash(path, md5), .trash(path, md5)] {
            version = try await other.commit([change], onto: version).version
        }
        source.add("2", PhotoBytes.jpeg(2))
        #expect(try await fixture.sync(source).restored.isEmpty)
        #expect(try await trash().count == 1)
    }

    @Test("a sync that ended after its commit is completed by the next one")
    func interrupted() async throws {
        source.remove("2")
        let name = try #require(try fixture.state.files().first { $0.hasSuffix(".index") })
        _ = try await fixture.sync(source)
        let rows = try fixture.state.read(name).split(separator: UInt8(ascii: "\n"))
        // The last rows are the trashed resource and the token.
        try fixture.state.write(name, Array(rows.dropLast(2).joined(separator: [10])) + [10])
        #expect(try await fixture.sync(source).trashed.isEmpty)
        source.add("2", PhotoBytes.jpeg(2))
        #expect(try await fixture.sync(source).restored.count == 1)
    }

    @Test("removals that cannot be committed are applied by the next sync")
    func failed() async throws {
        let isFailing = Flag()
        var fixture = try SourceFixture { verb, key in
            isFailing.value && verb == "put" && key.hasSuffix(".photolala.md5") ? .denied("test") : nil
        }
        fixture.device = self.fixture.device
        _ = try await fixture.sync(source)
        source.remove("2")
        isFailing.value = true
        let summary = try await fixture.sync(source)
        #expect(summary.trashed.isEmpty && summary.backup.ending != .completed)
        isFailing.value = false
        #expect(try await fixture.sync(source).trashed.map(Self.name) == ["2"])
    }

    /// A value that a fault reads.
    private final class Flag: Sendable {
        private let state = Mutex(false)
        var value: Bool {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }
}
