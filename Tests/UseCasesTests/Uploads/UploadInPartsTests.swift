import Foundation
import NIOCore
import PhotoCatalog
import PhotolalaAPI
import StorageAccess
import Testing

@testable import UseCases

extension UploadInPartsTests: ReservedUploads {}

/// How the parts of a long photo are signed. Accounts may store 1,000 bytes here.
@Suite struct UploadInPartsTests {
    private func upload(_ number: Int, size: Int64, parts: [(Int, Int64)]) throws -> UploadInParts {
        let digest = try #require(ContentDigest(md5(number)))
        return try UploadInParts(
            md5: digest, size: size, upload: "a+b",
            parts: parts.map { UploadInParts.Part(number: $0.0, md5: digest, size: $0.1) })
    }

    @Test func `each part is signed with its number, digest and length, and so are the end and the abort`() async throws
    {
        let (fixture, bob) = try await open()
        let signed = try await fixture.services.libraryUploads.signParts(
            of: try upload(1, size: 600, parts: [(1, 600)]), caller: bob)
        let part = try #require(signed.parts.first)
        #expect(signed.parts.count == 1)
        #expect(part.url.contains("/photos/\(bob.user)/\(md5(1)).dat?"))
        #expect(part.url.contains("partNumber=1") && part.url.contains("uploadId=a%2Bb"))
        #expect(part.url.contains("X-Amz-SignedHeaders=content-length%3Bcontent-md5%3Bhost"))
        #expect(part.headers["content-length"] == "600")
        for request in [signed.completion, signed.abortion] {
            #expect(request.url.contains("uploadId=a%2Bb") && !request.url.contains("partNumber"))
        }
        #expect(signed.completion.url != signed.abortion.url)
    }

    @Test func `the whole photo is reserved with its first part`() async throws {
        let (fixture, bob) = try await open()
        _ = try await fixture.services.libraryUploads.signParts(of: try upload(1, size: 600, parts: []), caller: bob)
        #expect(try await !fits(2, 401, fixture, bob))
        #expect(try await fits(3, 400, fixture, bob))
    }

    @Test(arguments: [[(0, Int64(600))], [(.min, 600)], [(.max, 600)], [(2, 1)], [(1, 599)], [(1, 601)]])
    func `a part that is not one of the photo is refused`(_ parts: [(Int, Int64)]) throws {
        #expect(throws: ServiceError.invalidRequest("invalid number or size of a part")) {
            try upload(1, size: 600, parts: parts)
        }
    }

    @Test func `upload credentials abort uploads of photos, and list no parts`() async throws {
        let (_, bob) = try await open()
        let policy = UserStoragePolicy(user: bob.user, access: .upload)
        #expect(policy.allows(.abortMultipartUpload, key: "photos/\(bob.user)/a"))
        #expect(!policy.allows(.abortMultipartUpload, key: "catalogs/\(bob.user)/a"))
        #expect(!policy.allows(.listMultipartUploadParts, key: "photos/\(bob.user)/a"))
    }
}
