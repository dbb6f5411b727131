import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Previews of a library that has none, with a test maker.
@Suite struct PreviewFillTests {
    /// Makes pictures of all files but those set to fail, whose content is checked.
    private final class Maker: PictureMaker {
        let made = Mutex<[ContentDigest]>([])
        let files = Mutex<[Data]>([])
        let failing: Set<ContentDigest>
        let isUninstalled: Bool
        let before: @Sendable (ContentDigest) async -> Void
        var isMissing: Bool { isUninstalled && made.withLock { !$0.isEmpty } }

        init(
            failing: Set<ContentDigest> = [], isUninstalled: Bool = false,
            color: PictureColor? = nil, before: @escaping @Sendable (ContentDigest) async -> Void = { _ in }
        ) {
            (self.failing, self.isUninstalled, self.before) = (failing, isUninstalled, before)
            self.color = color
        }

        func canMake(_ type: MediaType) -> Bool { type == .jpeg || type == .quickTime || type == .avi }

        let color: PictureColor?

        func endIdleProcesses() async {}

        func pictures(of place: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: place))) ?? Data()
            let md5 = ContentDigest(of: ByteBuffer(bytes: bytes))
            made.withLock { $0.append(md5) }
            files.withLock { $0.append(bytes) }
            await before(md5)
            if isUninstalled { throw .missing }
            let jpeg = ByteBuffer(bytes: PhotoBytes.picture(preview ?? 0))
            guard !failing.contains(md5), let thumbnail = Thumbnail(jpeg: jpeg) else { throw .notMade }
            return Pictures(
                thumbnail: thumbnail, preview: preview == nil ? nil : Preview(jpeg: jpeg), color: color)
        }
    }

    /// A JPEG that is large enough for a preview.
    private static func large(_ number: Int) -> [UInt8] { PhotoBytes.jpeg(number, length: 2 << 20) }
    private static func md5(_ bytes: [UInt8]) -> ContentDigest { ContentDigest(of: ByteBuffer(bytes: bytes)) }

    private func backedUp(
        _ large: ClosedRange<Int>, fault: @escaping FakeObjectStore.Fault = { _, _ in nil }
    ) async throws -> BackupFixture {
        let fixture = try BackupFixture(fault: fault)
        for number in large { try fixture.folder.write("\(number).jpg", Self.large(number)) }
        try fixture.folder.write("small.jpg", PhotoBytes.jpeg(100))
        try fixture.folder.write("b.gif", Array("GIF89a and more".utf8))
        _ = try await fixture.backUp()
        fixture.store.clearLog()
        return fixture
    }

    private func place(_ fixture: BackupFixture) -> String { fixture.state.path + "/previews" }

    private func fill(
        _ fixture: BackupFixture, _ maker: Maker, tool: String = "1", retries: Bool = false
    ) async throws -> PreviewFillSummary {
        let fill = PreviewFill(
            store: fixture.store, user: .bob, maker: maker, quality: 77, folder: place(fixture),
            unmadeFile: fixture.state.path + "/failed", detailsFile: fixture.state.path + "/read", tool: tool,
            pause: .none)
        return try await fill.run(PhotoSelection(), retries: retries) { _ in }
    }

    private func stored(_ kind: PictureKind, _ bytes: [UInt8], _ fixture: BackupFixture) async throws -> ByteBuffer? {
        try await fixture.store.memory.get(kind.key(of: Self.md5(bytes), .bob), limit: 100)?.bytes
    }

    @Test("the colors of made thumbnails are added to the catalog in one commit")
    func colors() async throws {
        let fixture = try await backedUp(1...2)
        fixture.store.clearLog()
        let summary = try await fill(fixture, Maker(color: PictureColor(red: 1, green: 2, blue: 3)))
        #expect(summary.made == 3 && summary.ending == .completed)
        #expect(fixture.store.count("put", StorageLayout.catalogPointer(.bob)) == 1)
        let colors = try await fixture.catalog().entries.map(\.media.color?.description)
        #expect(colors == ["010203", "010203", nil, "010203"])
    }

    @Test("missing thumbnails and previews are made of verified originals, which are removed, and made once")
    func fills() async throws {
        let fixture = try await backedUp(1...5)
        try fixture.folder.write("copy of 1.jpg", Self.large(1))
        _ = try await fixture.backUp()
        let maker = Maker()
        let summary = try await fill(fixture, maker)
        #expect(summary.ending == .completed && summary.made == 6 && summary.failures.isEmpty)
        #expect(summary.progress.totalFiles == 6 && summary.progress.finishedFiles == 6)
        #expect(
            maker.made.withLock { Set($0) }
                == Set((1...5).map { Self.md5(Self.large($0)) } + [Self.md5(PhotoBytes.jpeg(100))]))
        for number in 1...5 {
            #expect(try await stored(.thumbnail, Self.large(number), fixture) != nil)
            let preview = try await stored(.preview, Self.large(number), fixture)
            #expect(preview == ByteBuffer(bytes: PhotoBytes.picture(77)))
        }
        #expect(try await stored(.thumbnail, PhotoBytes.jpeg(100), fixture) != nil)
        #expect(try await stored(.preview, PhotoBytes.jpeg(100), fixture) == nil)
        #expect(!FileManager.default.fileExists(atPath: place(fixture)))
        fixture.store.clearLog()
        #expect(try await fill(fixture, Maker()).progress.totalFiles == 0)
        #expect(fixture.store.count("read", "photos/") == 0)
    }

    @Test("an existing thumbnail is kept")
    func keepsThumbnail() async throws {
        let fixture = try await backedUp(1...1)
        let key = PictureKind.thumbnail.key(of: Self.md5(Self.large(1)), .bob)
        _ = try await fixture.store.memory.put(key, ByteBuffer(string: "better"), if: .always)
        #expect(try await fill(fixture, Maker()).made == 2)
        #expect(try await stored(.thumbnail, Self.large(1), fixture) == ByteBuffer(string: "better"))
        #expect(try await stored(.preview, Self.large(1), fixture) != nil)
    }

    @Test("photos that cannot be decoded, damaged and missing ones do not stop the others")
    func failures() async throws {
        let fixture = try await backedUp(1...5)
        let store = fixture.store.memory
        func photo(_ number: Int) -> ObjectKey {
            ObjectKey(known: StorageLayout.photo(.bob, md5: Self.md5(Self.large(number)).description))
        }
        try await store.delete(photo(1), if: .always)
        _ = try await store.put(photo(2), ByteBuffer(bytes: Self.large(9)), if: .always)
        let summary = try await fill(fixture, Maker(failing: [Self.md5(Self.large(3))]))
        #expect(summary.ending == .completed && summary.made == 3)
        #expect(summary.notMade.map(\.description) == ["3.jpg"])
        #expect(Set(summary.failures.map(\.path.description)) == ["1.jpg", "2.jpg"])
        for number in 1...3 {
            let preview = try await stored(.preview, Self.large(number), fixture)
            #expect(preview == nil)
        }
        #expect(try await stored(.preview, Self.large(4), fixture) != nil)
    }

    @Test("what could not be decoded is tried again on request, and by another version of the tool")
    func unmade() async throws {
        let fixture = try await backedUp(1...3)
        let failing = Maker(failing: [Self.md5(Self.large(1)), Self.md5(Self.large(2))])
        #expect(try await fill(fixture, failing).notMade.count == 2)
        fixture.store.clearLog()
        let again = try await fill(fixture, Maker())
        #expect(again.skipped == 2 && again.progress.totalFiles == 0)
        let retried = try await fill(fixture, Maker(failing: [Self.md5(Self.large(2))]), retries: true)
        #expect(retried.made == 1 && retried.notMade.map(\.description) == ["2.jpg"] && retried.skipped == 0)
        #expect(try await fill(fixture, Maker()).skipped == 1)
        let updated = try await fill(fixture, Maker(failing: [Self.md5(Self.large(2))]), tool: "2\n3")
        #expect(updated.made == 0 && updated.notMade.count == 1 && updated.skipped == 0)
        #expect(try await fill(fixture, Maker(), tool: "2\n3").skipped == 1)
        #expect(try await fill(fixture, Maker(), tool: "2").made == 1)
    }

    @Test("without the tool the run stops after the first attempts, and nothing counts as undecodable")
    func uninstalled() async throws {
        let fixture = try await backedUp(1...12)
        let maker = Maker(isUninstalled: true)
        let summary = try await fill(fixture, maker)
        #expect(summary.made == 0 && maker.made.withLock { $0.count } <= 3)
        #expect(try await fill(fixture, Maker()).made == 13)
    }

    /// A film of 20 MiB, whose index is behind the pictures or has another name.
    private static func film(index: String = "moov", length: Int = 20 << 20) -> [UInt8] {
        // Blocks of 512 bytes.
        let pictures = (0..<length >> 9).flatMap { [UInt8](repeating: UInt8(truncatingIfNeeded: $0 | 1), count: 512) }
        return PhotoBytes.box("ftyp", Array("qt  ".utf8) + PhotoBytes.big32(0) + Array("qt  ".utf8))
            + PhotoBytes.big32(1) + Array("mdat".utf8) + PhotoBytes.big32(0) + PhotoBytes.big32(length + 16) + pictures
            + PhotoBytes.box("free", [1, 2, 3]) + PhotoBytes.box(index, PhotoBytes.box("mvhd", PhotoBytes.big32(7)))
            + PhotoBytes.box("free", [UInt8](repeating: 9, count: 5 << 20))
    }

    @Test("of a long video only the beginning and the index are downloaded")
    func video() async throws {
        let fixture = try BackupFixture()
        let film = Self.film()
        try fixture.folder.write("a.mov", film)
        _ = try await fixture.backUp()
        let maker = Maker()
        let summary = try await fill(fixture, maker)
        #expect(summary.made == 1 && summary.failures.isEmpty)
        let files = maker.files.withLock { $0 }
        let copy = try #require(files.first)
        #expect(files.count == 1 && copy.count == film.count && copy.prefix(8 << 20) == Data(film.prefix(8 << 20)))
        let end = film.count - (5 << 20) - 8
        #expect(copy[(end - 20)..<end] == Data(film[(end - 20)..<end]))
        #expect(copy[(8 << 20) + 1000] == 0 && copy[film.count - 1000] == 0)
        #expect(!FileManager.default.fileExists(atPath: place(fixture)))
        #expect(try await stored(.preview, film, fixture) != nil)
    }

    @Test("of a long video in a container without a central index only the beginning and the end are downloaded")
    func videoWithoutIndex() async throws {
        let fixture = try BackupFixture()
        let film =
            Array("RIFF".utf8) + PhotoBytes.big32(7) + Array("AVI ".utf8) + [UInt8](repeating: 7, count: 20 << 20)
        try fixture.folder.write("a.avi", film)
        _ = try await fixture.backUp()
        let maker = Maker()
        #expect(try await fill(fixture, maker).made == 1)
        let copy = try #require(maker.files.withLock { $0 }.first)
        #expect(copy.count == film.count && copy.prefix(8 << 20) == Data(film.prefix(8 << 20)))
        #expect(copy[(8 << 20)..<film.count - (1 << 20)].allSatisfy { $0 == 0 })
        #expect(copy.suffix(1 << 20) == Data(film.suffix(1 << 20)))
    }

    @Test("a long video without an index cannot be decoded, and is not downloaded")
    func noIndex() async throws {
        let fixture = try BackupFixture()
        try fixture.folder.write("a.mov", Self.film(index: "moof"))
        _ = try await fixture.backUp()
        let maker = Maker()
        let summary = try await fill(fixture, maker)
        #expect(summary.notMade.map(\.description) == ["a.mov"] && maker.made.withLock { $0.isEmpty })
        #expect(try await fill(fixture, maker).skipped == 1)
    }

    @Test("pictures of a photo that is deleted permanently during the run are removed", arguments: [true, false])
    func purged(isUploadedAgain: Bool) async throws {
        let fixture = try await backedUp(1...2)
        let (gone, memory) = (Self.large(1), fixture.store.memory)
        let photo = ObjectKey(known: StorageLayout.photo(.bob, md5: Self.md5(gone).description))
        let purge: @Sendable (ContentDigest) async -> Void = { md5 in
            guard md5 == Self.md5(gone) else { return }
            let catalogs = CatalogStore(store: memory, user: .bob, pause: .none)
            var selection = PhotoSelection()
            selection.paths = ["1.jpg"]
            _ = try? await PhotoTrash(catalogs).moveToTrash(selection) { _ in true }
            let summary = try? await TrashPurge(catalogs, store: memory, includesRecent: true).run { _ in true }
            #expect(summary?.deleted == 1)
            if isUploadedAgain { _ = try? await memory.put(photo, ByteBuffer(bytes: gone), if: .always) }
        }
        let summary = try await fill(fixture, Maker(before: purge))
        #expect(summary.made == 3)
        for kind in [PictureKind.thumbnail, .preview] {
            let (removed, kept) = (
                try await stored(kind, gone, fixture), try await stored(kind, Self.large(2), fixture)
            )
            #expect((removed != nil) == isUploadedAgain && kept != nil)
        }
    }

    @Test("a run without quota headroom stops, and the next one resumes it")
    func quota() async throws {
        let isFull = Mutex(false)
        let fixture = try await backedUp(1...30) { verb, key in
            verb == "write" && key.hasPrefix("thumbnails/") && isFull.withLock { $0 } ? .quotaExceeded : nil
        }
        isFull.withLock { $0 = true }
        let summary = try await fill(fixture, Maker())
        #expect(summary.ending == .stopped(.overQuota) && summary.made == 0 && summary.failures.count < 20)
        isFull.withLock { $0 = false }
        let next = try await fill(fixture, Maker())
        #expect(next.ending == .completed && next.made == 31)
    }
}
