import AWSServices
import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import Transport

/// A deployment that reserves uploads, on a folder and on a bucket: the limit holds whatever a device does.
enum ReservedUploadJourney {
    /// Free accounts may store 200,000 bytes.
    static let variables = [
        "PHOTOLALA_UPLOADS_RESERVED": "true", "PHOTOLALA_TIERS": #"{"free":{"storageLimit":200000}}"#,
    ]

    /// A person with a custom client that tries to exceed the reservation.
    static func strangeClient(_ person: Person, at server: String) async throws {
        let token = try await person.token(at: server)
        let signedIn = try #require(try await person.signUp(at: server, token: token))
        let bytes = Randomness.seeded(5).bytes(50_000)
        let md5 = ContentDigest(of: ByteBuffer(bytes: bytes))
        let json = #"{"md5":"\#(md5)","size":50000,"kind":"photo","contentType":"image/jpeg"}"#
        let response = try await person.call(
            "\(server)/uploads", json: json, token: signedIn.session.accessToken)
        #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        let upload = try WireJSON.decoder().decode(ReservedUpload.self, from: response.body)

        func put(_ bytes: [UInt8], _ change: (inout [String: String]) -> Void = { _ in }) async throws -> Int {
            var headers = upload.headers
            change(&headers)
            var fields = HTTPFields()
            for (name, value) in headers where name != "content-length" {
                fields[try #require(HTTPField.Name(name))] = value
            }
            return try await person.transport.send(
                TransportRequest(
                    method: .put, url: upload.url, headers: fields, body: .bytes(ByteBuffer(bytes: bytes)))
            ).status
        }
        var others = bytes
        others[7] ^= 1
        #expect((400..<500).contains(try await put(others)), "other bytes")
        #expect((400..<500).contains(try await put(bytes + [1])), "one byte more")
        #expect((400..<500).contains(try await put(Array(bytes.dropLast()))), "one byte less")
        let otherDigest = ContentDigest(of: ByteBuffer(bytes: others)).base64
        #expect(
            (400..<500).contains(try await put(others) { $0["content-md5"] = otherDigest }),
            "other bytes with their digest")
        #expect((400..<500).contains(try await put(bytes) { $0["content-md5"] = nil }), "no digest")

        let storage = try await person.storage(at: server, signedIn.session)
        let user = signedIn.user.serviceUserID
        let key = try #require(ObjectKey(StorageLayout.photo(user, md5: md5.description)))
        #expect(try await storage.head(key) == nil, "nothing is uploaded yet")
        #expect(try await put(bytes) == 200)
        #expect(try await put(bytes) == 200, "a repeated upload succeeds")
        #expect(try await storage.head(key)?.size == 50_000)
        try await copyInPlace(of: person, at: server, signedIn, key, storage)
        await expectDenied("photos are stored only with a reservation") {
            try await storage.put(key, ByteBuffer(string: "straight"), if: .always)
        }
        let file = try #require(ObjectKey("\(StorageLayout.catalogFiles(user))note"))
        _ = try await storage.put(file, ByteBuffer(string: "a"), if: .always)
        await expectDenied("no catalog is named like this") {
            try await storage.put(
                ObjectKey(known: "\(StorageLayout.catalogs(user))note"), ByteBuffer(string: "a"), if: .always)
        }

        let large = try await person.call(
            "\(server)/uploads",
            json: json.replacing("50000", with: "150001").replacing(
                "\(md5)", with: "\(ContentDigest(of: ByteBuffer(string: "b")))"),
            token: signedIn.session.accessToken)
        #expect(large.status == 403 && String(decoding: large.body, as: UTF8.self).contains("quota_exceeded"))
        try await storage.delete(key, if: .always)
    }

    private static func expectDenied(_ rule: Comment, _ request: () async throws -> ETag) async {
        let error = await #expect(throws: ObjectStoreError.self, rule) { _ = try await request() }
        guard case .denied = error else {
            Issue.record("\(rule): \(String(describing: error))")
            return
        }
    }

    /// Reserves one byte and names a large object as the copy source in an unsigned header.
    private static func copyInPlace(
        of person: Person, at server: String, _ signedIn: SignedIn, _ source: ObjectKey, _ storage: S3ObjectStore
    ) async throws {
        let byte = ByteBuffer(string: "a")
        let md5 = ContentDigest(of: byte)
        let response = try await person.call(
            "\(server)/uploads", json: #"{"md5":"\#(md5)","size":1,"kind":"photo"}"#,
            token: signedIn.session.accessToken)
        let upload = try WireJSON.decoder().decode(ReservedUpload.self, from: response.body)
        let bucket = try #require(upload.url.split(separator: "/").dropFirst(2).first)
        for body in [TransportRequest.Body.bytes(byte), .none] {
            var fields: HTTPFields = [try #require(HTTPField.Name("x-amz-copy-source")): "/\(bucket)/\(source)"]
            for (name, value) in upload.headers where name != "content-length" {
                fields[try #require(HTTPField.Name(name))] = value
            }
            _ = try await person.transport.send(
                TransportRequest(method: .put, url: upload.url, headers: fields, body: body))
            let key = try #require(ObjectKey(StorageLayout.photo(signedIn.user.serviceUserID, md5: md5.description)))
            let size = try await storage.head(key)?.size
            #expect(size == nil || size == 1, "a reservation of one byte took \(size ?? 0)")
        }
    }

    /// On a folder, a device that signs out can no longer use an address that lasts for a week.
    static func longAddress(_ person: Person, at server: String) async throws {
        let token = try await person.token(at: server)
        let signedIn = try #require(try await person.signUp(at: server, token: token))
        let bytes = ByteBuffer(string: "later")
        let json = #"{"uploads":[{"md5":"\#(ContentDigest(of: bytes))","size":5,"kind":"photo"}],"lifetime":604800}"#
        let response = try await person.call(
            "\(server)/uploads/batch", json: json, token: signedIn.session.accessToken)
        let uploads = try WireJSON.decoder().decode(ReservedUploads.self, from: response.body).uploads
        let upload = try #require(uploads.first ?? nil)
        #expect(upload.expiresAt.timeIntervalSinceNow > 604_000)
        var fields = HTTPFields()
        for (name, value) in upload.headers where name != "content-length" {
            fields[try #require(HTTPField.Name(name))] = value
        }
        let put = TransportRequest(method: .put, url: upload.url, headers: fields, body: .bytes(bytes))
        #expect(try await person.transport.send(put).status == 200)
        let out = try await person.call("\(server)/auth/signout-everywhere", token: signedIn.session.accessToken)
        #expect(out.status == 204)
        #expect(try await person.transport.send(put).status == 403)
    }

    /// Bob backs up more than his quota allows.
    static func backup(_ folder: URL, _ server: ServerProcess) async throws {
        let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
        #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
        let photos = folder.appendingPathComponent("photos")
        try PhotoFolder.make(6, in: photos)
        let first = try await laptop.run("backup", photos.path, "--no-thumbnails")
        #expect(first.status == 0, "\(first.errors)")
        try PhotoFolder.make(12, in: photos)
        let second = try await laptop.run("backup", photos.path, "--no-thumbnails")
        let words = String(decoding: second.output, as: UTF8.self)
        #expect(second.status == 2, "\(words) \(second.errors)")
        #expect(words.contains("3 files not uploaded, quota exceeded"), "\(words)")
        let restored = folder.appendingPathComponent("restored")
        let restore = try await laptop.run("restore", "--to", restored.path)
        #expect(restore.status == 0, "\(restore.errors)")
        let (here, there) = (try PhotoFolder.manifest(photos), try PhotoFolder.manifest(restored))
        #expect(there.count == 9, "all photos within the quota are stored")
        for (path, file) in there { #expect(here[path] == file) }
    }
}

@Suite struct ReservedUploadJourneyTests {
    @Test func `on a folder, a reserved upload accepts only its exact bytes, and a backup stores what fits`()
        async throws
    {
        try await withTemporaryFolder { folder, transport in
            let server = try await ServerProcess(
                data: folder.appendingPathComponent("data"), transport: transport,
                variables: ReservedUploadJourney.variables.merging(
                    ["PHOTOLALA_UPLOADS_ADDRESS_MINUTES": "10080"]) { _, new in new })
            try await ReservedUploadJourney.longAddress(Person(2, transport: transport), at: server.address)
            try await ReservedUploadJourney.strangeClient(Person(1, transport: transport), at: server.address)
            try await ReservedUploadJourney.backup(folder, server)
            #expect(server.stop() == 0)
        }
    }
}

extension OnSeaweedFS {
    @Suite struct ReservedUploadBucketTests {
        @Test func `on a bucket, a reserved upload accepts only its exact bytes, and a backup stores what fits`()
            async throws
        {
            try await SeaweedFS.run { engine in
                let server = try await ServerProcess(
                    on: engine, transport: engine.transport, variables: ReservedUploadJourney.variables)
                try await ReservedUploadJourney.strangeClient(
                    Person(1, transport: engine.transport), at: server.address)
                try await withTemporaryFolder { folder in
                    try await ReservedUploadJourney.backup(folder, server)
                }
                #expect(server.stop() == 0)
            }
        }
    }
}
