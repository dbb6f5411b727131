import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Sharing
import Synchronization
import Testing

@testable import UseCases

/// The originals that visitors of shared links get.
@Suite struct SharedFileTests {
    private func bytes(_ file: SharedFile, _ range: Range<Int64>? = nil) async throws -> [UInt8] {
        guard case .stream(let stream) = file else { throw ServiceError.notFound }
        var bytes: [UInt8] = []
        try await stream.read(range ?? 0..<stream.size) { bytes += Array($0.readableBytesView) }
        return bytes
    }

    @Test func `an original loses its place and keeps its length and everything else`() async throws {
        let fixture = try await SharingFixture()
        let photos = try #require(try await fixture.open(try await fixture.share([1])))
        let file = try await fixture.visits.file(SharingFixture.md5(1), downloadedAs: "photo-1", of: photos)
        let (sent, stored) = (try await bytes(file), Array(SharingFixture.photo(1).readableBytesView))
        let picture = SharingFixture.picture(1)
        #expect(sent.count == stored.count && Array(sent.suffix(picture.count)) == picture)
        #expect(!String(decoding: sent, as: UTF8.self).contains("48.8584"))
        if case .stream(let stream) = file { #expect(stream.name == "photo-1.jpg" && stream.type == .jpeg) }
        for start in 0..<Int64(sent.count) {
            let range = start..<Int64(sent.count)
            #expect(try await bytes(file, range) == Array(sent[Int(start)...]))
        }
    }

    @Test func `a link that includes the location sends originals from the store`() async throws {
        let fixture = try await SharingFixture()
        let link = try await fixture.share([1], fixture.options(location: true))
        let photos = try #require(try await fixture.open(link))
        let file = try await fixture.visits.file(SharingFixture.md5(1), downloadedAs: "photo-1", of: photos)
        guard case .address(let address) = file else {
            Issue.record("\(file)")
            return
        }
        #expect(address.contains("/photos/\(fixture.user)/\(SharingFixture.md5(1)).dat?"))
        #expect(address.contains("photo-1.jpg") && !address.contains("secret"))
    }

    @Test func `an original of unknown structure is not sent, but its preview is`() async throws {
        let fixture = try await SharingFixture()
        let key = ObjectKey(known: StorageLayout.photo(fixture.user, md5: "\(SharingFixture.md5(1))"))
        _ = try await fixture.service.store.put(
            key, ByteBuffer(string: "no JPEG with \(SharingFixture.place)"), if: .always)
        let photos = try #require(try await fixture.open(try await fixture.share([1])))
        await #expect(throws: ServiceError.notFound) {
            _ = try await fixture.visits.file(SharingFixture.md5(1), downloadedAs: nil, of: photos)
        }
        let preview = ObjectKey(known: StorageLayout.preview(fixture.user, md5: "\(SharingFixture.md5(1))"))
        _ = try await fixture.service.store.put(preview, SharingFixture.photo(9), if: .always)
        let file = try await fixture.visits.file(SharingFixture.md5(1), downloadedAs: "photo-1", of: photos)
        guard case .address(let address) = file else {
            Issue.record("\(file)")
            return
        }
        #expect(address.contains("/previews/") && address.contains("photo-1.jpg"))
    }

    @Test func `an original that is replaced while it is sent is cut off`() async throws {
        let fixture = try await SharingFixture()
        let photos = try #require(try await fixture.open(try await fixture.share([1])))
        let file = try await fixture.visits.file(SharingFixture.md5(1), downloadedAs: nil, of: photos)
        let key = ObjectKey(known: StorageLayout.photo(fixture.user, md5: "\(SharingFixture.md5(1))"))
        _ = try await fixture.service.store.put(key, SharingFixture.photo(2), if: .always)
        await #expect(throws: ServiceError.preconditionFailed) { _ = try await bytes(file) }
    }

    @Test func `without downloads a photo with a preview is sent as its preview only`() async throws {
        let fixture = try await SharingFixture()
        let preview = ObjectKey(known: StorageLayout.preview(fixture.user, md5: "\(SharingFixture.md5(1))"))
        _ = try await fixture.service.store.put(preview, SharingFixture.photo(9), if: .always)
        for location in [false, true] {
            let options = fixture.options(downloads: false, location: location)
            let photos = try #require(try await fixture.open(try await fixture.share([1, 2], options)))
            let file = try await fixture.visits.file(SharingFixture.md5(1), downloadedAs: nil, of: photos)
            guard case .address(let address) = file else {
                Issue.record("\(file)")
                return
            }
            #expect(address.contains("/previews/"))
            // Nothing else shows a photo without a preview.
            switch try await fixture.visits.file(SharingFixture.md5(2), downloadedAs: nil, of: photos) {
            case .address(let address): #expect(location && address.contains("/photos/"))
            case .stream: #expect(!location)
            }
        }
    }

    @Test func `a file that is being sent ends a minute after its link`() async throws {
        let fixture = try await SharingFixture()
        let link = try await fixture.share([1])
        let photos = try #require(try await fixture.open(link))
        let file = try await fixture.visits.file(SharingFixture.md5(1), downloadedAs: nil, of: photos)
        guard case .stream(let stream) = file else {
            Issue.record("\(file)")
            return
        }
        // Each look at the clock is a minute later than the one before.
        let seconds = Mutex(0.0)
        let slow = SharedFileStream(
            size: stream.size, type: stream.type, name: nil, key: stream.key, etag: stream.etag,
            removal: stream.removal, store: stream.store, check: stream.check
        ) {
            seconds.withLock { seconds in
                seconds += 61
                return Date(timeIntervalSince1970: seconds)
            }
        }
        #expect(try await bytes(.stream(slow)).count == Int(slow.size))
        try await fixture.sharing.delete(link.id, fixture.caller)
        await #expect(throws: ServiceError.notFound) { _ = try await bytes(.stream(slow)) }
    }

    @Test func `photos that the link does not show are not found`() async throws {
        let fixture = try await SharingFixture()
        let photos = try #require(try await fixture.open(try await fixture.share([1])))
        await #expect(throws: ServiceError.notFound) {
            _ = try await fixture.visits.file(SharingFixture.md5(2), downloadedAs: nil, of: photos)
        }
        let closed = try #require(
            try await fixture.open(try await fixture.share([1], fixture.options(downloads: false))))
        await #expect(throws: ServiceError.notFound) {
            _ = try await fixture.visits.file(SharingFixture.md5(1), downloadedAs: "photo-1", of: closed)
        }
        _ = try await fixture.visits.file(SharingFixture.md5(1), downloadedAs: nil, of: closed)
    }
}
