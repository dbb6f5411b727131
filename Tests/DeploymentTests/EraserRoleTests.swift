import AWSServices
import Foundation
import ObjectStorage
import PhotolalaAPI
import StorageAccess
import Testing

/// The role that erases deleted users' objects, and its sessions.
struct EraserRoleTests {
    private let user = UserID(uuid: UUID())
    private let other = UserID(uuid: UUID())
    private static let erasing = ["s3:AbortMultipartUpload", "s3:DeleteObject", "s3:DeleteObjectVersion"]
    private static let listing = ["s3:ListBucketMultipartUploads", "s3:ListBucketVersions"]

    private func session(_ policy: ErasurePolicy) throws -> IAMPolicy {
        let bucket = try #require(
            BucketARN(partition: .unitedStatesGovernment, bucket: String(repeating: "b", count: 63)))
        #expect(SessionPolicy(policy, bucket: bucket).json.utf8.count <= SessionPolicy.maximumLength)
        let own = try #require(BucketARN(partition: .aws, bucket: "photolala-prod"))
        return try IAMPolicy(json: SessionPolicy(policy, bucket: own).json)
    }

    @Test("a session erases and lists every prefix of personal data of its user, within the role")
    func own() throws {
        let (session, role) = (try session(ErasurePolicy(of: user)), try Deployment.policy("eraser-role-policy.json"))
        let prefixes = PersonalData.all.filter(\.isErased).flatMap { $0.prefixes(user) } + [StorageLayout.account(user)]
        for prefix in prefixes + [StorageLayout.deletion(user)] {
            let key = "\(Deployment.bucket)/\(prefix)\(prefix.hasSuffix("/") ? "x" : "")"
            for action in Self.erasing {
                #expect(try session.allows(action, key) && role.allows(action, key), "\(action) \(key)")
            }
            for action in Self.listing {
                #expect(try session.allows(action, Deployment.bucket, ["s3:prefix": prefix]), "\(action) \(prefix)")
                #expect(try role.allows(action, Deployment.bucket, ["s3:prefix": prefix]))
            }
        }
    }

    @Test("a session reaches no other user, no object of the service, and reads and writes nothing")
    func foreign() throws {
        let session = try session(ErasurePolicy(of: user))
        let keys =
            StorageLayout.userPrefixes(other).map { "\($0)x" }
            + [
                StorageLayout.accountDocument(other), StorageLayout.signingKeys, StorageLayout.erasureKey,
                StorageLayout.storeManifest, "\(StorageLayout.identities)apple/x", StorageLayout.deletion(other),
                "\(StorageLayout.erasures)x.json",
            ]
        for key in keys {
            for action in Self.erasing { #expect(try !session.allows(action, "\(Deployment.bucket)/\(key)"), "\(key)") }
            for action in Self.listing {
                #expect(try !session.allows(action, Deployment.bucket, ["s3:prefix": key]), "\(key)")
            }
        }
        for action in Self.listing { #expect(try !session.allows(action, Deployment.bucket, ["s3:prefix": ""])) }
        let role = try Deployment.policy("eraser-role-policy.json")
        for action in ["s3:GetObject", "s3:GetObjectVersion", "s3:PutObject", "s3:ListBucket"] {
            let key = "\(Deployment.bucket)/\(StorageLayout.photos(user))x"
            #expect(try !session.allows(action, key) && !role.allows(action, key))
        }
    }

    @Test("a session for single keys reaches these only, also with the longest keys")
    func keys() throws {
        let long = String(repeating: "=2E", count: 66)
        let keys = (1...2).map {
            ObjectKey(known: "\(StorageLayout.identities)\(String(repeating: "p", count: 32))/\(long)\($0)")
        }
        let session = try session(ErasurePolicy(keys: keys))
        for key in keys {
            #expect(try session.allows("s3:DeleteObjectVersion", "\(Deployment.bucket)/\(key)"))
            #expect(try session.allows("s3:ListBucketVersions", Deployment.bucket, ["s3:prefix": key.description]))
            #expect(try !session.allows("s3:DeleteObjectVersion", "\(Deployment.bucket)/\(key)x"))
        }
    }

    @Test("only the service's role may assume it")
    func trust() throws {
        let policy = try Deployment.policy("eraser-role-trust-policy.json")
        let statement = try #require(policy.Statement.first)
        #expect(policy.Statement.count == 1 && statement.Action == [AssumeRoleRequest.action.rawValue])
        #expect(statement.Principal?.texts == [Deployment.serviceRole])
        // Sessions of this role are requested without an external id.
        #expect(try policy.allows(AssumeRoleRequest.action.rawValue, Deployment.eraserRole))
    }
}
