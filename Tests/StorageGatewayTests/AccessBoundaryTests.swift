import Foundation
import NIOCore
import PhotolalaAPI
import Testing

@testable import StorageGateway

/// The limits of a user's credentials: objects outside them cannot be read, written, listed, copied or probed.
struct AccessBoundaryTests {
    /// Raw request paths outside Ada's prefixes under any interpretation.
    static let foreign: [String] = {
        let (ada, bob) = (GatewayFixture.ada.description, GatewayFixture.bob.description)
        return [
            "photos/\(bob)/x.dat", "thumbnails/\(bob)/x.jpg", "catalogs/\(bob)/.photolala.md5",
            "users/\(bob)/profile.json",
            "accounts/\(ada)/account.json", "identities/apple/x", "service/store.json",
            "service/uploads/\(ada)/x", "photos/\(ada)x/y", "photos/\(ada.uppercased())/x.dat",
            "Photos/\(ada)/x.dat", "photos/\(ada)%20/x", "photos/%2e%2e/photos/\(bob)/x.dat", "x",
            "accounts/", "photos/\(bob)/", "photos//", "service/uploads/\(ada)/",
            "photos//\(ada)/x.dat", "photos/./\(ada)/x.dat", "photos/\(ada)%252Fx", "photos%252F\(ada)/x.dat",
            "/photos/\(ada)/x.dat", "photos/\(ada.dropLast())/x.dat", "photos/\(ada)%00/x",
        ]
    }()

    @Test("every operation on another user's key is rejected", arguments: foreign)
    func foreignKey(_ path: String) async throws {
        let fixture = try GatewayFixture()
        let target = "/\(GatewayFixture.bucket)/\(path)"
        for method in ["GET", "HEAD", "PUT", "DELETE"] {
            #expect(try await fixture.send(method, target).status == 403, "\(method)")
        }
        #expect(try await fixture.send("POST", target, query: "uploads=").code == "AccessDenied")
        let own = GatewayFixture.path("copy.dat")
        let source = ["x-amz-copy-source": "/\(GatewayFixture.bucket)/\(path)"]
        #expect(try await fixture.send("PUT", own, headers: source).status == 403)
        try await fixture.put("photos/\(GatewayFixture.ada)/own.dat", "own")
        let outward = ["x-amz-copy-source": GatewayFixture.path("own.dat")]
        #expect(try await fixture.send("PUT", target, headers: outward).status == 403)
        #expect(try await fixture.text("photos/\(GatewayFixture.ada)/copy.dat") == nil)
    }

    @Test(
        "dot segments never leave the user's own prefix",
        arguments: [
            "../\(GatewayFixture.bob)/x.dat", "..", ".", "a/../b", "%2e%2e/x", "..%2Fx", "a//b", "a//", "/", "a/./",
            "a%0Ab", "%7f",
        ])
    func dotSegments(_ name: String) async throws {
        let fixture = try GatewayFixture()
        try await fixture.put("photos/\(GatewayFixture.bob)/x.dat", "secret")
        for method in ["GET", "PUT", "DELETE"] {
            let response = try await fixture.send(method, GatewayFixture.path(name))
            #expect(response.status == 400 && response.code == "InvalidArgument", "\(method)")
        }
        #expect(try await fixture.text("photos/\(GatewayFixture.bob)/x.dat") == "secret")
    }

    @Test("credentials are limited to the account's current access, regardless of their own")
    func narrowedSinceIssue() async throws {
        let fixture = try GatewayFixture()
        let credentials = try fixture.credentials(access: .readWrite)
        let own = GatewayFixture.path("own.dat")
        let body = [ByteBuffer(string: "own")]
        #expect(try await fixture.send("PUT", own, body: body, as: credentials).status == 200)
        fixture.sessions.set(.live(.readDelete))
        #expect(try await fixture.send("PUT", own, body: body, as: credentials).code == "AccessDenied")
        #expect(try await fixture.send("GET", own, as: credentials).status == 200)
        fixture.sessions.set(.live(.read))
        #expect(try await fixture.send("DELETE", own, as: credentials).code == "AccessDenied")
        #expect(try await fixture.send("GET", own, as: credentials).status == 200)
    }

    @Test("DeleteObjects checks access for each key")
    func deleteObjects() async throws {
        let fixture = try GatewayFixture()
        try await fixture.put("photos/\(GatewayFixture.ada)/a", "1")
        try await fixture.put("photos/\(GatewayFixture.bob)/b", "2")
        let keys = [
            "photos/\(GatewayFixture.ada)/a", "photos/\(GatewayFixture.bob)/b", "photos/\(GatewayFixture.ada)/gone",
        ]
        let xml = "<Delete>" + keys.map { "<Object><Key>\($0)</Key></Object>" }.joined() + "</Delete>"
        let response = try await fixture.send(
            "POST", "/\(GatewayFixture.bucket)", query: "delete=", body: [.init(string: xml)])
        #expect(response.status == 200)
        #expect(response.text.contains("<Error><Key>\(keys[1])</Key><Code>AccessDenied</Code>"))
        #expect(response.values("Deleted").count == 2)
        #expect(try await fixture.text(keys[0]) == nil)
        #expect(try await fixture.text(keys[1]) == "2")
    }

    @Test(
        "a listing outside the user's own prefixes is rejected",
        arguments: [
            "x", "photos/\(GatewayFixture.bob)/", "photos/b", "photos/\(GatewayFixture.ada)x",
            "photos/\(GatewayFixture.ada.description.uppercased())/", "accounts/\(GatewayFixture.ada)/", "service/",
            "service/uploads/\(GatewayFixture.ada)/",
        ])
    func listing(_ prefix: String) async throws {
        let fixture = try GatewayFixture()
        for query in ["list-type=2&prefix=\(prefix)", "prefix=\(prefix)", "uploads=&prefix=\(prefix)"] {
            #expect(try await fixture.send("GET", "/\(GatewayFixture.bucket)", query: query).code == "AccessDenied")
        }
    }

    @Test("a start position or token outside the prefix reveals no other keys")
    func start() async throws {
        let fixture = try GatewayFixture()
        try await fixture.put("photos/\(GatewayFixture.bob)/b", "2")
        let prefix = "photos/\(GatewayFixture.ada)/"
        for position in [
            "start-after=photos/\(GatewayFixture.bob)/", "start-after=a", "continuation-token=a3Bob3Rvcy8",
        ] {
            let response = try await fixture.send(
                "GET", "/\(GatewayFixture.bucket)", query: "list-type=2&prefix=\(prefix)&\(position)")
            #expect(response.status == 200 && response.values("Key").isEmpty)
        }
    }

    @Test("other buckets do not exist, and buckets cannot be listed, created or deleted")
    func buckets() async throws {
        let fixture = try GatewayFixture()
        #expect(try await fixture.send("GET", "/other/photos/\(GatewayFixture.ada)/x").code == "NoSuchBucket")
        #expect(try await fixture.send("GET", "/").code == "AccessDenied")
        #expect(try await fixture.send("PUT", "/\(GatewayFixture.bucket)").code == "BucketAlreadyExists")
        #expect(try await fixture.send("PUT", "/other").code == "NoSuchBucket")
        #expect(try await fixture.send("DELETE", "/\(GatewayFixture.bucket)").code == "AccessDenied")
        #expect(try await fixture.send("HEAD", "/\(GatewayFixture.bucket)").status == 200)
        let versions = try await fixture.send("GET", "/\(GatewayFixture.bucket)", query: "versioning")
        #expect(
            versions.status == 200 && versions.text.contains("VersioningConfiguration")
                && versions.values("Status") == [])
        for path in ["/\(GatewayFixture.bucket)", GatewayFixture.path("x")] {
            #expect(try await fixture.send("PUT", path, query: "versioning").code == "NotImplemented")
        }
        let foreign = ["x-amz-copy-source": "other/photos/\(GatewayFixture.ada)/x"]
        #expect(try await fixture.send("PUT", GatewayFixture.path("x"), headers: foreign).code == "NoSuchBucket")
    }

    @Test(
        "access levels limit write and delete operations",
        arguments: [
            (StorageAccessLevel.readDelete, "photos", 403, 204), (.readDelete, "catalogs", 403, 204),
            (.read, "photos", 403, 403), (.read, "users", 403, 403), (.readWrite, "photos", 200, 204),
        ])
    func levels(_ access: StorageAccessLevel, _ folder: String, _ put: Int, _ delete: Int) async throws {
        let fixture = try GatewayFixture()
        let credentials = try fixture.credentials(access: access)
        let path = GatewayFixture.path("x", of: folder)
        try await fixture.put("\(folder)/\(GatewayFixture.ada)/x", "x")
        #expect(try await fixture.send("PUT", path, body: [.init(string: "y")], as: credentials).status == put)
        #expect(try await fixture.send("GET", path, as: credentials).status == 200)
        #expect(try await fixture.send("DELETE", path, as: credentials).status == delete)
    }

    @Test("over the limit only catalog files and the profile may be written")
    func records() async throws {
        let fixture = try GatewayFixture()
        let credentials = try fixture.credentials(access: .readDelete)
        for (name, folder, status) in [
            (".photolala.md5", "catalogs", 200), (".photolala.00.csv", "catalogs", 200),
            (".photolala.", "catalogs", 200),
            (".photolala", "catalogs", 403), ("profile.json", "users", 200), ("profile.json.x", "users", 403),
            ("metadata/x", "users", 403),
        ] {
            let path = GatewayFixture.path(name, of: folder)
            let response = try await fixture.send("PUT", path, body: [.init(string: "y")], as: credentials)
            #expect(response.status == status, "\(path)")
        }
    }

    @Test(
        "unsupported sub-resources are rejected and write nothing",
        arguments: ["acl=", "tagging=", "versionId=null", "policy=", "retention=", "acl", "restore="])
    func foreignSubresource(_ query: String) async throws {
        let fixture = try GatewayFixture()
        try await fixture.put("photos/\(GatewayFixture.ada)/x", "x")
        for method in ["GET", "PUT", "DELETE", "POST"] {
            #expect(try await fixture.send(method, GatewayFixture.path("x"), query: query).code == "NotImplemented")
        }
        #expect(try await fixture.text("photos/\(GatewayFixture.ada)/x") == "x")
    }

    @Test("a request for a host that is not served is rejected before its signature is checked")
    func otherHost() async throws {
        let served = try GatewayFixture(hosts: .loopback(and: []))
        #expect(
            try await served.send("GET", "/\(GatewayFixture.bucket)/photos/\(GatewayFixture.ada)/a.dat").status == 404)
        let other = try GatewayFixture(hosts: .loopback(and: []))
        let response = try await other.sendRaw(
            "GET", "/\(GatewayFixture.bucket)", fields: [:], host: "attacker.example:9000")
        #expect(response.status == 421)
        #expect(response.code == "BadRequest")
        #expect(response.text.contains("Unknown host in the Host header"))
    }
}
