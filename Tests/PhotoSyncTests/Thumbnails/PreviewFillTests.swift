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
        let failing: Set<ContentDigest>
        let isMissing = false

        init(failing: Set<ContentDigest> = []) { self.failing = failing }

        func canMake(_ type: MediaType) -> Bool { type == .jpeg }

        func endIdleProcesses() async {}

        func pictures(of place: String, type: MediaType, preview: Int?) async throws(ThumbnailError) -> Pictures {
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: place))) ?? Data()
            let md5 = ContentDigest(of: ByteBuffer(bytes: bytes))
            made.withLock { $0.append(md5) }
            let jpeg = ByteBuffer(bytes: [0xff, 0xd8, 0xff, UInt8(preview ?? 0), 0xff, 0xd9])
            guard !failing.contains(md5), let thumbnail = Thumbnail(jpeg: jpeg) else { throw .notMade }
            return Pictures(thumbnail: thumbnail, preview: preview == nil ? nil : Preview(jpeg: jpeg))
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

    private func fill(_ fixture: BackupFixture, _ maker: Maker) async throws -> PreviewFillSummary {
        let fill = PreviewFill(
            store: fixture.store, user: .bob, maker: maker, quality: 77, folder: place(fixture), pause: .none)
        return try await fill.run(PhotoSelection()) { _ in }
    }

    private func stored(_ kind: PictureKind, _ bytes: [UInt8], _ fixture: BackupFixture) async throws -> ByteBuffer? {
        try await fixture.store.memory.get(kind.key(of: Self.md5(bytes), .bob), limit: 100)?.bytes
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
            #expect(preview == ByteBuffer(bytes: [0xff, 0xd8, 0xff, 77, 0xff, 0xd9]))
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
