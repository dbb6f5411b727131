import AWSServices
import Foundation
import PhotolalaAPI
import StorageAccess
import Testing

/// The users' role is the outer limit of every session, whatever the session's policy allows.
struct UserRoleTests {
    private let user = UserID(uuid: UUID())

    /// The prefixes `photos/` etc.
    private var prefixes: [String] {
        StorageLayout.userPrefixes(user).map { $0.replacing("\(user)/", with: "") }
    }

    @Test("the role allows exactly the users' actions on all users' prefixes")
    func exactly() throws {
        let policy = try Deployment.policy("user-role-policy.json")
        #expect(policy.Statement.count == 3 && policy.Statement.allSatisfy { $0.Effect == "Allow" })
        let objects = try #require(policy.Statement.first { $0.Sid == "UsersObjects" })
        let onObjects = StorageAction.allCases.filter { $0 != .restoreObject }
        #expect(objects.Action.sorted() == onObjects.map { "s3:\($0.rawValue)" }.sorted())
        #expect(objects.Resource == prefixes.map { "\(Deployment.bucket)/\($0)*" })
        #expect(objects.Condition == nil)
        let archived = try #require(policy.Statement.first { $0.Sid == "UsersArchivedPhotos" })
        #expect(archived.Action == ["s3:RestoreObject"] && archived.Condition == nil)
        #expect(archived.Resource == ["\(Deployment.bucket)/photos/*"])
        let listings = try #require(policy.Statement.first { $0.Sid == "UsersListings" })
        #expect(listings.Action == ["s3:ListBucket"] && listings.Resource == [Deployment.bucket])
        #expect(listings.Condition?.keys.map(\.self) == ["StringLike"])
        #expect(listings.Condition?["StringLike"]?.mapValues(\.texts) == ["s3:prefix": prefixes.map { "\($0)*" }])
    }

    @Test(
        "the role allows what a session policy allows", arguments: [StorageAccessLevel.readWrite, .readDelete, .read])
    func intersection(access: StorageAccessLevel) throws {
        let role = try Deployment.policy("user-role-policy.json")
        let rules = UserStoragePolicy(user: user, access: access)
        for prefix in StorageLayout.userPrefixes(user) {
            for action in StorageAction.allCases where rules.allows(action, key: "\(prefix)x") {
                #expect(try role.allows("s3:\(action.rawValue)", "\(Deployment.bucket)/\(prefix)x"))
            }
            #expect(try role.allows("s3:ListBucket", Deployment.bucket, ["s3:prefix": prefix]))
        }
        for key in [StorageLayout.catalogPointer(user), StorageLayout.profile(user)]
        where rules.allows(.putObject, key: key) {
            #expect(try role.allows("s3:PutObject", "\(Deployment.bucket)/\(key)"))
        }
    }

    @Test("the role never reaches the service's objects, even for a session whose policy allows everything")
    func closed() throws {
        let policy = try Deployment.policy("user-role-policy.json")
        for prefix in [StorageLayout.identities, StorageLayout.accounts, StorageLayout.service, ""] {
            for action in StorageAction.allCases {
                #expect(try !policy.allows("s3:\(action.rawValue)", "\(Deployment.bucket)/\(prefix)x"))
            }
            #expect(try !policy.allows("s3:ListBucket", Deployment.bucket, ["s3:prefix": prefix]))
        }
        #expect(try !policy.allows("s3:ListBucket", Deployment.bucket))
    }

    @Test("only the service's role may assume it, and only with the external id: no account root and no pattern")
    func trust() throws {
        let policy = try Deployment.policy("user-role-trust-policy.json")
        #expect(policy.Statement.count == 1)
        let statement = try #require(policy.Statement.first)
        #expect(statement.Effect == "Allow" && statement.Action == [AssumeRoleRequest.action.rawValue])
        #expect(statement.Principal?.texts == [Deployment.serviceRole])
        let action = AssumeRoleRequest.action.rawValue
        #expect(try policy.allows(action, Deployment.userRole, ["sts:ExternalId": "photolala-app-2024"]))
        for context in [[:], ["sts:ExternalId": "photolala-app-2025"]] {
            #expect(try !policy.allows(action, Deployment.userRole, context))
        }
    }

    @Test("the service's role can be assumed only by programs on the platform")
    func serviceTrust() throws {
        let policy = try Deployment.policy("service-role-trust-policy.json")
        #expect(policy.Statement.map(\.Principal?.texts) == [["ecs-tasks.amazonaws.com"]])
        #expect(policy.Statement.map(\.Action) == [["sts:AssumeRole"]])
    }
}
