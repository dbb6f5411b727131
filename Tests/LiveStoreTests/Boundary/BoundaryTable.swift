import Foundation
import PhotolalaAPI
import S3Protocol
import Testing

/// The access of a user's credentials, as one table for all engines.
enum BoundaryTable {
    /// Paths outside of the user's prefixes in every interpretation.
    static let foreignPaths = [
        "photos/{other}/x", "thumbnails/{other}/x", "catalogs/{other}/x", "users/{other}/x",
        "photos/{OTHER}/x", "Photos/{other}/x", "photos/{OWN}/x", "Photos/{own}/x",
        "PHOTOS/{OTHER}/x", "thumbna%C4%B0ls/{other}/x", "thumbna%C4%B0ls/{own}/x", "photo%C5%BF/{own}/x",
        "IDENTITIES/boundary/{own}", "Accounts/{OWN}/account.json", "SERVICE/boundary/{own}",
        "identities/boundary/{own}", "accounts/{own}/account.json", "service/boundary/{own}",
        "identities/boundary/new", "accounts/{own}/new", "service/new",
        "photos/{own}x/y", "photos/{own}%20/x", "photos/{own}%252Fx", "photos%252F{own}/x", "x",
    ]

    /// Paths with dots and with encoded slashes. None may reach another user's objects. The engine may reject them or
    /// treat them as ordinary names.
    static let nonCanonicalPaths = [
        "photos/{own}/../{other}/x", "photos/{own}/%2e%2e/{other}/x", "photos/{own}/..%2F{other}%2Fx",
        "photos/{own}/%252e%252e/{other}/x", "photos/{own}/../../identities/boundary/{own}", "photos/./{other}/x",
        "photos//{other}/x", "/photos/{other}/x", "photos/{own}/..", "../photos/{other}/x", "photos/{own}/%00/../x",
    ]

    /// The user's prefix without its slash, which cannot be an object of the user.
    static let barePrefix = "photos/{own}"

    /// Listings above the user's prefixes. A policy rejects them; the one-machine endpoint lists the user's own keys.
    static let outerListings = [
        "", "list-type=2", "prefix=", "list-type=2&prefix=photos%2F", "list-type=2&prefix=photos",
        "list-type=2&prefix=photos%2F{own}", "list-type=2&delimiter=%2F", "list-type=2&prefix=photos%2F&delimiter=%2F",
    ]

    /// Listings, by their query, that are rejected.
    static let foreignListings = [
        "list-type=2&prefix=photos%2F{other}%2F", "prefix=photos%2F{other}%2F",
        "list-type=2&prefix=photos%2F{OWN}%2F", "list-type=2&prefix=photos%2F%2A", "list-type=2&prefix=%2A",
        "list-type=2&prefix=identities%2F", "list-type=2&prefix=accounts%2F{own}%2F", "list-type=2&prefix=service%2F",
        "uploads=&prefix=photos%2F{other}%2F",
        "versions=&prefix=photos%2F{other}%2F", "policy=", "acl=",
    ]

    /// Listings that try to leave the user's prefix. A response may contain only the user's own keys.
    static let nonCanonicalListings = [
        "list-type=2&prefix=photos%2F{own}%2F&prefix=photos%2F{other}%2F",
        "list-type=2&prefix=photos%2F{other}%2F&prefix=photos%2F{own}%2F",
        "list-type=2&prefix=photos%2F{own}%2F..%2F{other}%2F", "list-type=2&prefix=photos%2F{own}%2F..%2F..%2F",
        "list-type=2&prefix=photos%2F{own}%2F&start-after=photos%2F",
        "prefix=photos%2F{own}%2F&marker=photos%2F{other}",
        "list-type=2&prefix=photos%2F{own}%2F&continuation-token=cGhvdG9zLw==",
    ]

    static func refusesForeignPath(_ path: String, _ engine: any BoundaryEngine) async throws {
        for act in BoundaryOperation.allCases {
            let fixture = try await BoundaryFixture(engine)
            let status = try await act.status(on: path, in: fixture)
            #expect(status == 403 || status == 400, "\(act) \(path)")
            try await fixture.checkForeign("\(act) \(path)")
            #expect(try await fixture.text("photos/{own}/copy") == nil, "\(act) \(path)")
        }
    }

    static func confinesNonCanonicalPaths(_ path: String, _ engine: any BoundaryEngine) async throws {
        for act in BoundaryOperation.allCases {
            let fixture = try await BoundaryFixture(engine)
            #expect(try await act.status(on: path, in: fixture) < 500, "\(act) \(path)")
            try await fixture.checkForeign("\(act) \(path)")
            let copy = try await fixture.text("photos/{own}/copy")
            #expect(copy?.contains("secret of") != true, "\(act) \(path)")
        }
    }

    static func refusesForeignListing(_ query: String, _ engine: any BoundaryEngine) async throws {
        let fixture = try await BoundaryFixture(engine)
        let response = try await fixture.send(.get, "", query: query)
        #expect((400..<500).contains(response.status) || response.status == 501, "\(query)")
        #expect(!response.text.contains("<Contents>"), "\(query)")
    }

    static func showsOwnKeysAlone(_ query: String, _ engine: any BoundaryEngine) async throws {
        let fixture = try await BoundaryFixture(engine)
        let response = try await fixture.send(.get, "", query: query)
        #expect(response.status < 500, "\(query)")
        for key in response.text.matches(of: /<Contents><Key>([^<]*)/) {
            #expect(key.1.hasPrefix("photos/\(fixture.own)/"), "\(query)")
        }
    }

    /// For an engine that responds to listings above the user's prefixes.
    static func narrowsOuterListing(_ query: String, _ engine: any BoundaryEngine) async throws {
        let fixture = try await BoundaryFixture(engine)
        let response = try await fixture.send(.get, "", query: query)
        #expect(response.status == 200, "\(query)")
        let own = StorageLayout.userPrefixes(fixture.own)
        let keys = response.text.matches(of: /<Contents><Key>([^<]*)/).map { String($0.1) }
        #expect(keys.allSatisfy { key in own.contains { key.hasPrefix($0) } }, "\(query)")
        let folders = response.text.matches(of: /<CommonPrefixes><Prefix>([^<]*)/).map { String($0.1) }
        #expect(folders.allSatisfy { folder in own.contains { $0.hasPrefix(folder) } }, "\(query)")
        #expect(!keys.isEmpty || !folders.isEmpty, "\(query)")
    }

    /// A prefix without its slash can be neither read nor written. An engine may respond that it does not exist.
    static func refusesBarePrefix(_ engine: any BoundaryEngine) async throws {
        for act in BoundaryOperation.allCases {
            let fixture = try await BoundaryFixture(engine)
            let status = try await act.status(on: barePrefix, in: fixture)
            #expect([400, 403].contains(status) || status == 404 && [.get, .head].contains(act), "\(act)")
            try await fixture.checkForeign("\(act)")
            #expect(try await fixture.text("photos/{own}/copy") == nil, "\(act)")
        }
    }

    static func opensOwnPrefixes(_ engine: any BoundaryEngine) async throws {
        let fixture = try await BoundaryFixture(engine)
        for folder in ["photos", "thumbnails", "catalogs", "users"] {
            let path = "\(folder)/{own}/x"
            for act in BoundaryOperation.allCases where act != .delete {
                #expect(try await act.status(on: path, in: fixture) == 200, "\(act) \(path)")
            }
            for query in ["list-type=2&prefix=\(folder)%2F{own}%2F", "prefix=\(folder)%2F{own}%2Fx&delimiter=%2F"] {
                let listing = try await fixture.send(.get, "", query: query)
                #expect(listing.status == 200 && listing.text.contains(fixture.filled(path)), "\(query)")
            }
            #expect(try await BoundaryOperation.delete.status(on: path, in: fixture) == 204)
        }
        try await fixture.checkForeign("own acts")
    }

    static func judgesKeysOneByOne(_ engine: any BoundaryEngine) async throws {
        let fixture = try await BoundaryFixture(engine)
        let keys = ["photos/{own}/x", "photos/{other}/x", "accounts/{own}/account.json"].map(fixture.filled)
        let body = "<Delete>\(keys.map { "<Object><Key>\($0)</Key></Object>" }.joined())</Delete>"
        let digest = ["content-md5": ContentMD5.of(body)]
        let response = try await fixture.send(.post, "", query: "delete=", headers: digest, body: body)
        #expect(response.status == 200 && response.text.split(separator: "<Code>AccessDenied</Code>").count == 3)
        #expect(try await fixture.text(keys[0]) == nil)
        try await fixture.checkForeign("many keys")
    }

    static func refusesForeignParts(_ engine: any BoundaryEngine) async throws {
        let fixture = try await BoundaryFixture(engine)
        let upload = try await fixture.beginUpload("photos/{own}/parts")
        let query = "partNumber=1&uploadId=\(upload)"
        #expect(try await fixture.send(.put, "photos/{other}/x", query: query, body: "changed").status == 403)
        #expect(try await fixture.send(.put, "photos/{own}/parts", query: query, body: "own").status == 200)
        try await fixture.checkForeign("parts")
    }

    static func enforcesAccessLevels(_ access: StorageAccessLevel, _ engine: any BoundaryEngine) async throws {
        let fixture = try await BoundaryFixture(engine, access)
        for folder in ["photos", "thumbnails", "catalogs", "users"] {
            let path = "\(folder)/{own}/x"
            let mayWrite = access == .readWrite
            for act in [BoundaryOperation.put, .copyTo, .beginUpload] {
                #expect(
                    try await act.status(on: path, in: fixture) == (mayWrite ? 200 : 403), "\(access) \(act) \(path)")
            }
            #expect(try await BoundaryOperation.get.status(on: path, in: fixture) == 200)
            #expect(try await BoundaryOperation.delete.status(on: path, in: fixture) == (access == .read ? 403 : 204))
        }
        for path in ["catalogs/{own}/.photolala.md5", "catalogs/{own}/.photolala.0.csv", "users/{own}/profile.json"] {
            for act in [BoundaryOperation.put, .copyTo, .beginUpload] {
                let status = try await act.status(on: path, in: fixture)
                #expect(status == (access == .read ? 403 : 200), "\(access) \(act) \(path)")
            }
        }
    }

    /// Credentials that are incomplete, belong to another user or are missing give no access.
    static func refusesOtherKeys(_ engine: any BoundaryEngine) async throws {
        let fixture = try await BoundaryFixture(engine)
        let (good, other) = (fixture.credentials, try await engine.credentials(of: fixture.other))
        let token = try #require(good.sessionToken)
        func keys(_ id: String, _ secret: String, _ token: String?) -> AWSCredentials {
            AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token)
        }
        for wrong in [
            keys(good.accessKeyID, good.secretAccessKey, nil), keys(good.accessKeyID, "wrong", token),
            keys(good.accessKeyID, good.secretAccessKey, other.sessionToken),
            keys(other.accessKeyID, good.secretAccessKey, token),
            keys(good.accessKeyID, good.secretAccessKey, "\(token.dropLast(8))AAAAAAAA"),
            keys(good.accessKeyID, good.secretAccessKey, "x"),
        ] {
            #expect((400...403).contains(try await fixture.send(.get, "photos/{own}/x", as: wrong).status), "\(wrong)")
        }
        #expect(try await engine.raw.send(.get, fixture.filled("photos/{own}/x"), as: nil).status == 403)
        #expect(try await fixture.send(.get, "photos/{own}/x").status == 200)
    }
}
