import AWSServices
import Foundation
import PhotolalaAPI
import StorageAccess
import Testing

/// The session policy allows what the single-machine S3 endpoint enforces.
struct SessionPolicyTests {
    private static let levels: [StorageAccessLevel] = [.readWrite, .readDelete, .read]
    private let user = UserID(uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 0xab)))
    private let other = UserID(uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 0xac)))

    private func policy(
        _ access: StorageAccessLevel, mayRecord: Bool = true, until end: Date? = nil
    ) throws -> IAMPolicy {
        let bucket = try #require(BucketARN(partition: .aws, bucket: "photolala-prod"))
        let rules = UserStoragePolicy(user: user, access: access, mayRecord: mayRecord)
        return try IAMPolicy(json: SessionPolicy(rules, bucket: bucket, until: end).json)
    }

    private var keys: [String] {
        let below = ["x.dat", "a/b", "../\(other)/x", "*", "?"]
        let own = StorageLayout.userPrefixes(user).flatMap { prefix in below.map { prefix + $0 } }
        let foreign = StorageLayout.userPrefixes(other).map { $0 + "x" }
        let upper = StorageLayout.userPrefixes(user).flatMap { ["\($0.uppercased())x", "\($0.capitalized)x"] }
        let records = [
            StorageLayout.catalogPointer(user), StorageLayout.catalogFiles(user), StorageLayout.profile(user),
            "\(StorageLayout.profile(user))/x", StorageLayout.catalogSnapshot(user, md5: "0"),
        ]
        return own + records + foreign + upper + [
            StorageLayout.accountDocument(user), StorageLayout.storeManifest, "\(StorageLayout.identities)apple/x",
            "\(StorageLayout.photos(user).dropLast())", "\(StorageLayout.photos(user).dropLast())x/y",
            "\(StorageLayout.photos(user).dropLast(2))/y", "x/\(StorageLayout.photos(user))y", "/photos/\(user)/x", "",
        ]
    }

    @Test("the same actions are allowed on every key", arguments: levels)
    func keys(access: StorageAccessLevel) throws {
        let (policy, rules) = (try policy(access), UserStoragePolicy(user: user, access: access))
        for key in keys {
            for action in StorageAction.allCases {
                let allowed = try policy.allows("s3:\(action.rawValue)", "\(Deployment.bucket)/\(key)")
                #expect(allowed == rules.allows(action, key: key), "\(action) \(key)")
            }
            #expect(try !policy.allows("s3:GetObjectVersion", "\(Deployment.bucket)/\(key)"))
            #expect(try !policy.allows("s3:GetObject", "\(Deployment.bucket)x/\(key)"))
        }
    }

    @Test("without record writes, readDelete reads and deletes as before and writes nothing")
    func withheld() throws {
        let (policy, usual) = (try policy(.readDelete, mayRecord: false), try policy(.readDelete))
        let rules = UserStoragePolicy(user: user, access: .readDelete, mayRecord: false)
        for key in keys {
            for action in StorageAction.allCases {
                let (name, resource) = ("s3:\(action.rawValue)", "\(Deployment.bucket)/\(key)")
                let allowed = try policy.allows(name, resource)
                #expect(allowed == (try usual.allows(name, resource) && action != .putObject), "\(action) \(key)")
                #expect(allowed == rules.allows(action, key: key), "\(action) \(key)")
            }
        }
        let list = ["s3:prefix": "photos/\(user)/"]
        #expect(try policy.allows("s3:ListBucket", Deployment.bucket, list))
    }

    @Test("over the limit, only catalog files and the profile can be written")
    func records() throws {
        let policy = try policy(.readDelete)
        let written = try keys.filter { try policy.allows("s3:PutObject", "\(Deployment.bucket)/\($0)") }
        #expect(
            Set(written) == [
                StorageLayout.catalogPointer(user), StorageLayout.catalogFiles(user), StorageLayout.profile(user),
                StorageLayout.catalogSnapshot(user, md5: "0"),
            ])
    }

    @Test("the same prefixes can be listed, and a listing without a prefix is denied", arguments: levels)
    func listings(access: StorageAccessLevel) throws {
        let (policy, rules) = (try policy(access), UserStoragePolicy(user: user, access: access))
        for prefix in keys + StorageLayout.userPrefixes(user) + StorageLayout.userPrefixes(other) {
            let allowed = try policy.allows("s3:ListBucket", Deployment.bucket, ["s3:prefix": prefix])
            #expect(allowed == rules.allowsListing(prefix: prefix), "\(prefix)")
        }
        #expect(try !policy.allows("s3:ListBucket", Deployment.bucket))
        #expect(try !policy.allows("s3:ListBucketVersions", Deployment.bucket, ["s3:prefix": "photos/\(user)/"]))
    }

    @Test("only own photos can be restored from an archive", arguments: levels)
    func archived(access: StorageAccessLevel) throws {
        let policy = try policy(access)
        for key in keys {
            let isOwnPhoto = key.hasPrefix(StorageLayout.photos(user)) && key != StorageLayout.photos(user)
            let allowed = try policy.allows("s3:RestoreObject", "\(Deployment.bucket)/\(key)")
            #expect(allowed == isOwnPhoto, "\(key)")
        }
    }

    @Test("every S3 operation of a device is an action known to the policy")
    func operations() {
        let known = StorageAction.allCases.map { "s3:\($0.rawValue)" } + ["s3:ListBucket"]
        let erasing = ["s3:DeleteObjectVersion", "s3:ListBucketMultipartUploads", "s3:ListBucketVersions"]
        let atStart = ["s3:GetBucketObjectLockConfiguration"]
        #expect(Set(S3Operation.allCases.map(\.action.rawValue)) == Set(known + erasing + atStart))
    }

    @Test("an expiring policy allows nothing from its expiry on", arguments: levels)
    func end(access: StorageAccessLevel) throws {
        let policy = try policy(access, until: Date(timeIntervalSince1970: 1_767_323_045.9))
        let (key, list) = ("\(Deployment.bucket)/photos/\(user)/x", ["s3:prefix": "photos/\(user)/"])
        for (now, isAllowed) in [("2026-01-02T03:04:04Z", true), ("2026-01-02T03:04:05Z", false)] {
            let clock = ["aws:CurrentTime": now]
            #expect(try policy.allows("s3:GetObject", key, clock) == isAllowed)
            #expect(try policy.allows("s3:ListBucket", Deployment.bucket, clock.merging(list) { $1 }) == isAllowed)
        }
        #expect(try !policy.allows("s3:GetObject", key), "an engine that does not supply the time allows nothing")
    }

    @Test("the largest policy is well below the token service's limit and printable ASCII", arguments: levels)
    func size(access: StorageAccessLevel) throws {
        for partition in BucketARN.Partition.allCases {
            let bucket = try #require(BucketARN(partition: partition, bucket: String(repeating: "b", count: 63)))
            let policy = SessionPolicy(
                UserStoragePolicy(user: user, access: access), bucket: bucket, until: Date(timeIntervalSince1970: 2e9)
            )
            #expect(policy.json.utf8.count <= SessionPolicy.maximumLength - 128)
            #expect(policy.json.utf8.allSatisfy { (0x20...0x7e).contains($0) })
        }
    }

    @Test("the only pattern is the star at the end of a user's prefix", arguments: levels)
    func patterns(access: StorageAccessLevel) throws {
        for statement in try policy(access, until: Date(timeIntervalSince1970: 0)).Statement {
            #expect(statement.Effect == "Allow" && !statement.Action.contains { $0.contains("*") })
            let prefixes = statement.Condition?["StringLike"]?["s3:prefix"]?.texts ?? []
            for text in (statement.Resource ?? []) + prefixes where text != Deployment.bucket {
                let isRecord = [StorageLayout.catalogFiles(user) + "*", StorageLayout.profile(user)].contains {
                    text.hasSuffix("/\($0)")
                }
                #expect(isRecord || text.hasSuffix("/\(user)/*"), "\(text)")
                #expect(!text.dropLast().contains { "*?$".contains($0) }, "\(text)")
            }
        }
    }

    @Test(
        "a bucket name cannot be a pattern or another part of the policy",
        arguments: [
            "*", "photos*", "photo?", "a/b", "${aws:username}", "Photos", "ab", "a..b", "-ab", "ab.", "a\"b", "",
        ]
    )
    func bucket(name: String) { #expect(BucketARN(partition: .aws, bucket: name) == nil) }
}
