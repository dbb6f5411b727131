import Foundation
import HTTPTypes
import PhotolalaAPI
import Testing

@testable import StorageGateway

/// The configuration of the bucket itself.
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

    @Test("the bucket policy grants nothing beyond the roles")
    func noGrants() throws {
        #expect(try Deployment.policy("bucket-policy.json").Statement.allSatisfy { $0.Effect == "Deny" })
    }

    @Test("the bucket denies requests without TLS or from another account")
    func strangers() throws {
        #expect(try !forbids("accounts/u/account.json", as: Deployment.serviceRole))
        #expect(try !forbids("photos/u/x", as: Deployment.userRole))
        #expect(try forbids("photos/u/x", as: Deployment.userRole, ["aws:SecureTransport": "false"]))
        #expect(try forbids("photos/u/x", as: Deployment.userRole, ["aws:PrincipalAccount": "999999999999"]))
        let unknown: [String: String?] = ["aws:PrincipalAccount": nil, "aws:PrincipalIsAWSService": nil]
        #expect(try forbids("photos/u/x", as: "", unknown), "a caller without an account")
    }

    @Test(
        "the users' role never reaches the service's objects, whatever else it is allowed",
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

    @Test("old versions and unfinished uploads expire below every prefix, and current objects never expire")
    func lifecycle() throws {
        let rules = try Deployment.document(Lifecycle.self, "bucket-lifecycle.json").Rules
        #expect(rules.allSatisfy { $0.Status == "Enabled" && $0.Expiration?.Days == nil })
        #expect(Set(rules.map(\.ID)).count == rules.count)
        #expect(rules.first { $0.Filter.Prefix.isEmpty }?.AbortIncompleteMultipartUpload?.DaysAfterInitiation == 7)
        let user = UserID(uuid: UUID())
        let prefixes =
            StorageLayout.userPrefixes(user).map { $0.replacing("\(user)/", with: "") }
            + [
                StorageLayout.identities, StorageLayout.accounts, StorageLayout.service, StorageLayout.usedMarkers,
                StorageLayout.callCounts, StorageLayout.providerCalls, StorageLayout.deviceCodes,
                StorageLayout.exports,
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

    @Test("CORS allows and exposes the same as the single-machine S3 endpoint")
    func cors() throws {
        let rules = try Deployment.document(CORS.self, "bucket-cors.json").CORSRules
        let rule = try #require(rules.first)
        #expect(rules.count == 1 && rule.AllowedOrigins == [Deployment.origin] && rule.AllowedHeaders == ["*"])
        let policy = CORSPolicy(origins: [Deployment.origin])
        let asked: HTTPFields = [.origin: Deployment.origin, .accessControlRequestMethod: "PUT"]
        let preflight = try policy.preflight(asked).headers
        var response = HTTPFields()
        policy.apply(to: &response, origin: Deployment.origin)
        #expect(rule.AllowedMethods.joined(separator: ", ") == preflight[.accessControlAllowMethods])
        #expect(String(rule.MaxAgeSeconds) == preflight[.accessControlMaxAge])
        #expect(rule.ExposeHeaders.joined(separator: ", ") == response[.accessControlExposeHeaders])
    }

    @Test("versioning is enabled")
    func versioning() throws {
        #expect(try Deployment.document([String: String].self, "bucket-versioning.json") == ["Status": "Enabled"])
    }
}
