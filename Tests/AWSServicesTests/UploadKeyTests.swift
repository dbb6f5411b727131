import AWSServices
import Foundation
import ObjectStorage
import PhotolalaAPI
import S3Protocol
import StorageAccess
import Testing

/// The credentials that sign upload addresses which outlast a session of the role.
@Suite struct UploadKeyTests {
    private static let keys = AWSCredentials(accessKeyID: "AKIAUPLOADS", secretAccessKey: "secret")
    private static let week: TimeInterval = 604_800

    @Test func `without keys of their own, upload addresses end with the session of an hour`() async throws {
        let fixture = try ScriptedTokenService([.session()])
        let issued = try await fixture.issue(.upload, seconds: Self.week)
        #expect(fixture.forms.first?["DurationSeconds"] == "3600")
        #expect(issued.expiration == ScriptedTokenService.now + 3600)
        #expect(fixture.issuer.maximumUploadLifetime == 3600)
    }

    @Test func `with keys, addresses last as long as the grant, and are signed without a session`() async throws {
        let fixture = try ScriptedTokenService([], uploadKeys: Self.keys)
        let issued = try await fixture.issue(.upload, seconds: Self.week)
        #expect(issued.accessKeyID == "AKIAUPLOADS" && issued.expiration == ScriptedTokenService.now + Self.week)
        #expect(fixture.transport.requests.isEmpty)
        #expect(fixture.issuer.maximumUploadLifetime == Self.week)
        let user = try #require(ScriptedTokenService.user)
        let key = ObjectKey(known: StorageLayout.photo(user, md5: String(repeating: "a", count: 32)))
        let urls = try S3ObjectURLSigner().sign(
            [PresignedRequest(.put, key, headers: ["content-length": "1"])], with: issued,
            validity: PresignedURLValidity(
                at: ScriptedTokenService.now, lasting: Self.week, until: issued.expiration))
        let url = try #require(urls.urls.first)
        #expect(url.contains("X-Amz-Expires=604800") && url.contains("X-Amz-Credential=AKIAUPLOADS%2F"))
        #expect(!url.contains("X-Amz-Security-Token"))
    }

    @Test(
        "the keys sign nothing else",
        arguments: [
            (StorageAccessLevel.readWrite, 604_800.0), (.readDelete, 604_800), (.read, 604_800), (.upload, 3600),
        ])
    func otherGrants(access: StorageAccessLevel, seconds: TimeInterval) async throws {
        let fixture = try ScriptedTokenService([.session()], uploadKeys: Self.keys)
        #expect(try await fixture.issue(access, seconds: seconds).accessKeyID == "ASIA")
    }
}
