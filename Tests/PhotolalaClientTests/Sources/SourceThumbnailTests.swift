import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync
@testable import PhotolalaClient

@Suite("Thumbnails of a source") struct SourceThumbnailTests {
    private let fixture: SourceFixture
    private let source = FakePhotoSource()

    init() throws { fixture = try SourceFixture() }

    private func thumbnail(of photo: [UInt8]) async throws -> [UInt8]? {
        let md5 = ContentDigest(of: ByteBuffer(bytes: photo)).description
        let key = ObjectKey(known: StorageLayout.thumbnail(.bob, md5: md5))
        return try await fixture.store.memory.get(key, limit: 1 << 20).map { Array($0.bytes.readableBytesView) }
    }

    @Test("the thumbnails that a source has are stored with the photos, each under its content")
    func stored() async throws {
        source.edit("1", PhotoBytes.jpeg(1), PhotoBytes.jpeg(2), modified: SourceFixture.taken + 60)
        source.add("3", PhotoBytes.jpeg(3))
        source.setThumbnail(of: "1/photo", PhotoBytes.picture(11))
        source.setThumbnail(of: "1/edited", PhotoBytes.picture(12))
        let summary = try await fixture.backUp(source)
        #expect(summary.isComplete && summary.thumbnails == ThumbnailCount(stored: 2))
        for (photo, small) in [(1, PhotoBytes.picture(11)), (2, PhotoBytes.picture(12)), (3, nil)] {
            #expect(try await thumbnail(of: PhotoBytes.jpeg(photo)) == small)
        }
    }

    @Test("what is no JPEG, or too large, is not stored, and the photo is")
    func invalid() async throws {
        source.add("1", PhotoBytes.jpeg(1))
        source.add("2", PhotoBytes.jpeg(2))
        source.setThumbnail(of: "1/photo", Array("text".utf8))
        source.setThumbnail(of: "2/photo", PhotoBytes.picture(9, length: 300 << 10))
        let summary = try await fixture.backUp(source)
        #expect(summary.isComplete && summary.thumbnails == ThumbnailCount() && summary.progress.uploadedFiles == 2)
        #expect(try await thumbnail(of: PhotoBytes.jpeg(1)) == nil)
        #expect(try await thumbnail(of: PhotoBytes.jpeg(2)) == nil)
    }

    @Test("a source is asked for the size of the photo's proportion")
    func panorama() async throws {
        let panorama = PhotoBytes.picture(1, width: 3000, height: 1000)
        source.add("1", panorama)
        source.setThumbnail(of: "1/photo", pixels: 768, PhotoBytes.picture(11, width: 768, height: 256))
        let summary = try await fixture.backUp(source)
        #expect(summary.isComplete && summary.thumbnails == ThumbnailCount(stored: 1))
        #expect(try await thumbnail(of: panorama) == PhotoBytes.picture(11, width: 768, height: 256))
    }

    @Test("the thumbnail of a later version is not stored for the version that was read")
    func changed() async throws {
        source.edit("1", PhotoBytes.jpeg(1), PhotoBytes.jpeg(2), modified: SourceFixture.taken + 60)
        source.setThumbnail(of: "1/edited", PhotoBytes.picture(12))
        let isFirst = Mutex(true)
        source.setOnThumbnail { [source] name in
            guard name == "1/edited", isFirst.withLock({ $0 }) else { return }
            isFirst.withLock { $0 = false }
            source.edit("1", PhotoBytes.jpeg(1), PhotoBytes.jpeg(3), modified: SourceFixture.taken + 120)
        }
        #expect(try await fixture.backUp(source).isComplete)
        #expect(try await fixture.content(at: "edited") == PhotoBytes.jpeg(3))
        #expect(try await thumbnail(of: PhotoBytes.jpeg(2)) == nil)
        #expect(try await thumbnail(of: PhotoBytes.jpeg(3)) == PhotoBytes.picture(12))
    }
}
