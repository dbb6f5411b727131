import Foundation
import HTTPTypes
import PhotolalaAPI
import Testing

@testable import StorageGateway

/// What is set on the bucket itself.
struct BucketTests {
    private let account = ["aws:SecureTransport": "true", "aws:PrincipalAccount": Deployment.account]

    private func forbids(_ key: String, as role: String, _ changes: [String: String?] = [:]) throws -> Bool {
        var context: [String: String?] = account.mapValues { $0 }
        context["aws:PrincipalArn"] = role
        context["aws:PrincipalIsAWSService"] = "false"
        context.merge(changes) { $1 }
        return try Deployment.policy("bucket-policy.json")
            .forbids("s3:GetObject", "\(Deployment.bucket)/\(key)", context.compactMapValues { $0 })
    }

    @Test("The bucket adds nothing to what roles allow")
    func noGrants() throws {
        #expect(try Deployment.policy("bucket-policy.json").Statement.allSatisfy { $0.Effect == "Deny" })
    }

    @Test("Nobody reaches it without TLS or from another account")
    func strangers() throws {
        #expect(try !forbids("accounts/u/account.json", as: Deployment.serviceRole))
        #expect(try !forbids("photos/u/x", as: Deployment.userRole))
        #expect(try forbids("photos/u/x", as: Deployment.userRole, ["aws:SecureTransport": "false"]))
        #expect(try forbids("photos/u/x", as: Deployment.userRole, ["aws:PrincipalAccount": "999999999999"]))
        let nobody: [String: String?] = ["aws:PrincipalAccount": nil, "aws:PrincipalIsAWSService": nil]
        #expect(try forbids("photos/u/x", as: "", nobody), "someone without an account")
    }

    @Test(
        "The users' role never reaches the service's objects, whatever it is allowed elsewhere",
        arguments: [StorageLayout.identities, StorageLayout.accounts, StorageLayout.service]
    )
    func users(prefix: String) throws {
        #expect(try forbids("\(prefix)x", as: Deployment.userRole))
        #expect(try !forbids("\(prefix)x", as: Deployment.serviceRole))
    }

    private struct Lifecycle: Decodable {
        struct Rule: Decodable {
            struct Filter: Decodable { let Prefix: String }
            struct Abort: Decodable { let DaysAfterInitiation: Int }
            struct Old: Decodable { let NoncurrentDays: Int }
            struct Expiration: Decodable {
                let ExpiredObjectDeleteMarker: Bool?
                let Days: Int?
            }
            let ID: String
            let Status: String
            let Filter: Filter
            let AbortIncompleteMultipartUpload: Abort?
            let NoncurrentVersionExpiration: Old?
            let Expiration: Expiration?
        }
        let Rules: [Rule]
    }

    @Test("Old versions end below every prefix, unfinished uploads everywhere, and no object that is there ever does")
    func lifecycle() throws {
        let rules = try Deployment.document(Lifecycle.self, "bucket-lifecycle.json").Rules
        #expect(rules.allSatisfy { $0.Status == "Enabled" && $0.Expiration?.Days == nil })
        #expect(Set(rules.map(\.ID)).count == rules.count)
        #expect(rules.first { $0.Filter.Prefix.isEmpty }?.AbortIncompleteMultipartUpload?.DaysAfterInitiation == 7)
        let user = UserID(uuid: UUID())
        let prefixes =
            StorageLayout.userPrefixes(user).map { $0.replacing("\(user)/", with: "") }
            + [
                StorageLayout.identities, StorageLayout.accounts, StorageLayout.service, StorageLayout.spent,
                StorageLayout.callCounts,
            ]
        let old = rules.filter { $0.NoncurrentVersionExpiration != nil }
        #expect(Set(old.map(\.Filter.Prefix)) == Set(prefixes) && old.count == prefixes.count)
    }

    private struct CORS: Decodable {
        struct Rule: Decodable {
            let AllowedOrigins: [String]
            let AllowedMethods: [String]
            let AllowedHeaders: [String]
            let ExposeHeaders: [String]
            let MaxAgeSeconds: Int
        }
        let CORSRules: [Rule]
    }

    @Test("Pages may do and see what the S3 endpoint of one machine lets them")
    func cors() throws {
        let rules = try Deployment.document(CORS.self, "bucket-cors.json").CORSRules
        let rule = try #require(rules.first)
        #expect(rules.count == 1 && rule.AllowedOrigins == [Deployment.origin] && rule.AllowedHeaders == ["*"])
        let policy = CORSPolicy(origins: [Deployment.origin])
        let asked: HTTPFields = [.origin: Deployment.origin, .accessControlRequestMethod: "PUT"]
        let preflight = try policy.preflight(asked).headers
        var answer = HTTPFields()
        policy.apply(to: &answer, origin: Deployment.origin)
        #expect(rule.AllowedMethods.joined(separator: ", ") == preflight[.accessControlAllowMethods])
        #expect(String(rule.MaxAgeSeconds) == preflight[.accessControlMaxAge])
        #expect(rule.ExposeHeaders.joined(separator: ", ") == answer[.accessControlExposeHeaders])
    }

    @Test("Versions are kept")
    func versioning() throws {
        #expect(try Deployment.document([String: String].self, "bucket-versioning.json") == ["Status": "Enabled"])
    }
}
