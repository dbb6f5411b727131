import Foundation
import PhotolalaAPI
import StorageAccess
import Testing

/// The keys that sign addresses of uploads for days. Nothing revokes such an address, so they permit nothing else.
struct UploaderPolicyTests {
    private let user = UserID(uuid: UUID())
    private let md5 = String(repeating: "a", count: 32)

    @Test("the keys put photos, thumbnails and previews")
    func uploads() throws {
        let policy = try Deployment.policy("uploader-policy.json")
        let keys = [
            StorageLayout.photo(user, md5: md5), StorageLayout.thumbnail(user, md5: md5),
            StorageLayout.preview(user, md5: md5),
        ]
        for key in keys { #expect(try policy.allows("s3:PutObject", "\(Deployment.bucket)/\(key)"), "\(key)") }
    }

    @Test("the keys put nothing else, read, list and delete nothing, and open no session")
    func nothingElse() throws {
        let policy = try Deployment.policy("uploader-policy.json")
        #expect(policy.Statement.count == 1 && policy.Statement[0].Action == ["s3:PutObject"])
        let others = [
            StorageLayout.catalogPointer(user), StorageLayout.profile(user), StorageLayout.accountDocument(user),
            StorageLayout.signingKeys, StorageLayout.storeManifest, "\(StorageLayout.identities)apple/x", "x",
        ]
        for key in others { #expect(try !policy.allows("s3:PutObject", "\(Deployment.bucket)/\(key)"), "\(key)") }
        let photo = StorageLayout.photo(user, md5: md5)
        for action in StorageAction.allCases.map({ "s3:\($0.rawValue)" }) + [
            "s3:DeleteObjectVersion", "s3:PutObjectAcl",
        ]
        where action != "s3:PutObject" {
            #expect(try !policy.allows(action, "\(Deployment.bucket)/\(photo)"), "\(action)")
        }
        #expect(try !policy.allows("s3:ListBucket", Deployment.bucket, ["s3:prefix": "photos/"]))
        #expect(try !policy.allows("sts:AssumeRole", Deployment.userRole))
        #expect(try !policy.allows("s3:PutObject", "arn:aws:s3:::photolala-stage/\(photo)"))
    }
}
