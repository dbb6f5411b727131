import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Subscriptions
import Testing

@testable import UseCases

extension ReservedUploadTests: ReservedUploads {}

/// How an upload is reserved, and which uploads are refused.
@Suite struct ReservedUploadTests {
    @Test func `a reservation returns a PUT for exactly its bytes that is valid for five minutes`() async throws {
        let (fixture, bob) = try await open()
        let upload = try await reserve(1, 600, fixture, bob)
        #expect(upload.url.contains("/photos/\(bob.user)/\(md5(1)).dat?"))
        #expect(upload.url.contains("X-Amz-SignedHeaders=content-length%3Bcontent-md5%3Bcontent-type%3Bhost"))
        #expect(upload.url.contains("X-Amz-Expires=300&"))
        let digest = try #require(ContentDigest(md5(1)))
        #expect(
            upload.headers
                == ["content-length": "600", "content-type": "image/jpeg", "content-md5": digest.base64])
        #expect(upload.expiresAt == fixture.clock.now.addingTimeInterval(300))
        let thumbnail = try await fixture.services.uploads.reserveUpload(
            UploadRequest(md5: md5(2), size: 9, kind: .thumbnail, photo: md5(1)), caller: bob)
        #expect(thumbnail.url.contains("/thumbnails/\(bob.user)/\(md5(1)).jpg?"))
        #expect(thumbnail.headers["content-type"] == "image/jpeg")
        let preview = try await fixture.services.uploads.reserveUpload(
            UploadRequest(md5: md5(3), size: 9, kind: .preview, photo: md5(1)), caller: bob)
        #expect(preview.url.contains("/thumbnails/\(bob.user)/previews/\(md5(1)).jpg?"))
        #expect(preview.headers["content-type"] == "image/jpeg")
    }

    @Test func `reservations succeed up to the last byte, and a refusal reports the usage`() async throws {
        let (fixture, bob) = try await open()
        #expect(try await fits(1, 600, fixture, bob))
        #expect(try await fits(2, 400, fixture, bob))
        await #expect(throws: ServiceError.quotaExceeded(used: 1000, limit: 1000)) {
            try await reserve(3, 1, fixture, bob)
        }
        #expect(try await fits(1, 600, fixture, bob), "a repeated reservation uses no further quota")
    }

    @Test func `a batch with the same object twice is refused and reserves nothing`() async throws {
        let (fixture, bob) = try await open()
        await #expect(throws: ServiceError.invalidRequest("uploads must not repeat an object.")) {
            try await fixture.services.uploads.reserveUploads(
                UploadRequests(uploads: [photo(1, 900), photo(1, 900)]), caller: bob)
        }
        #expect(try await fits(2, 1000, fixture, bob))
    }

    @Test func `a batch reserves only the uploads that fit`() async throws {
        let (fixture, bob) = try await open()
        let response = try await fixture.services.uploads.reserveUploads(
            UploadRequests(uploads: [photo(1, 700), photo(2, 400), photo(3, 300)]), caller: bob)
        #expect(response.uploads.map { $0 != nil } == [true, false, true])
    }

    @Test func `upload URLs are signed with credentials that only allow uploads`() async throws {
        let (fixture, bob) = try await open()
        let upload = try await reserve(1, 10, fixture, bob)
        let credentials = try #require(
            fixture.components.libraries.cache.credentials(CredentialKey(session: bob.session.id, access: .upload)))
        #expect(upload.url.contains(credentials.credentials.accessKeyID))
        let policy = UserStoragePolicy(user: bob.user, access: .upload)
        for prefix in StorageLayout.userPrefixes(bob.user) {
            #expect(!policy.allows(.getObject, key: "\(prefix)a") && !policy.allows(.deleteObject, key: "\(prefix)a"))
            #expect(!policy.allowsListing(prefix: prefix))
            let isContent = prefix.hasPrefix("photos/") || prefix.hasPrefix("thumbnails/")
            #expect(policy.allows(.putObject, key: "\(prefix)a") == isContent)
        }
    }

    @Test func `an upload larger than the limit is refused without a count`() async throws {
        let (fixture, bob) = try await open()
        try await reserve(1, 1, fixture, bob)
        fixture.clock.advance(by: 120)
        _ = fixture.service.store.drainRequests()
        #expect(try await !fits(2, 1001, fixture, bob))
        #expect(!fixture.service.store.drainRequests().contains { $0.kind == .list })
    }

    @Test func `far from the limit, a reservation costs one read and one write`() async throws {
        let (fixture, bob) = try await open()
        try await reserve(1, 1, fixture, bob)
        let caller = try await fixture.refreshed(bob)
        _ = fixture.service.store.drainRequests()
        _ = try await fixture.services.uploads.reserveUpload(photo(2, 1), caller: caller)
        #expect(fixture.service.store.drainRequests().map(\.kind) == [.read, .write])
    }

    @Test func `with reserved uploads, a device gets no credentials to write photos`() async throws {
        let (fixture, bob) = try await open()
        let credentials = try await fixture.services.storageAccess.issueCredentials(bob)
        #expect(credentials.access == .readDelete && credentials.uploads == .reserved)
        let (free, ada) = try await open(isStrict: false)
        let direct = try await free.services.storageAccess.issueCredentials(ada)
        #expect(direct.access == .readWrite && direct.uploads == nil)
        #expect(try await fits(1, 1000, free, ada), "uploads can also be reserved with direct writes")
    }

    @Test(arguments: [
        UploadRequest(md5: "A0", size: 1, kind: .photo),
        UploadRequest(md5: String(repeating: "A", count: 32), size: 1, kind: .photo),
        UploadRequest(md5: String(repeating: "a", count: 32), size: 0, kind: .photo),
        UploadRequest(md5: String(repeating: "a", count: 32), size: -1, kind: .photo),
        UploadRequest(md5: String(repeating: "a", count: 32), size: (5 << 30) + 1, kind: .photo),
        UploadRequest(md5: String(repeating: "a", count: 32), size: .max, kind: .photo),
        UploadRequest(md5: String(repeating: "a", count: 32), size: 1, kind: .photo, contentType: "text\r\n/html"),
        UploadRequest(md5: String(repeating: "a", count: 32), size: 1, kind: .photo, photo: "a"),
        UploadRequest(md5: String(repeating: "a", count: 32), size: 1, kind: .thumbnail),
        UploadRequest(md5: String(repeating: "a", count: 32), size: 1, kind: .thumbnail, photo: "../x"),
        UploadRequest(
            md5: String(repeating: "a", count: 32), size: 300_000, kind: .thumbnail,
            photo: String(repeating: "b", count: 32)),
        UploadRequest(md5: String(repeating: "a", count: 32), size: 1, kind: .preview),
        UploadRequest(
            md5: String(repeating: "a", count: 32), size: (4 << 20) + 1, kind: .preview,
            photo: String(repeating: "b", count: 32)),
        UploadRequest(
            md5: String(repeating: "a", count: 32), size: 1, kind: .preview, photo: String(repeating: "b", count: 32),
            contentType: "image/webp"),
    ])
    func `an invalid upload request is refused without a write`(request: UploadRequest) async throws {
        let (fixture, bob) = try await open()
        _ = fixture.writes()
        do {
            _ = try await fixture.services.uploads.reserveUpload(request, caller: bob)
            Issue.record("\(request) was taken")
        } catch {
            guard case .invalidRequest = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(fixture.writes() == 0)
    }
}
