import AWSServices
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import StorageAccess
import Testing
import UseCases

/// The deletion of an account in a versioned bucket, with the permissions of `deploy/aws`.
@Suite(
    .disabled("SKIP_LIVE=1: nothing is proved against a real engine") { SeaweedFS.isSkipped },
    .enabled("scripts/install-seaweedfs installs the engine") { SeaweedFS.isInstalled })
struct VersionedBucketTests {
    @Test("an erasure leaves no version, delete marker or unfinished upload that names the person")
    func nothingIsLeft() async throws {
        try await SeaweedFS.run { engine in
            let raw = RawClient(endpoint: engine.endpoint, bucket: engine.bucket, transport: engine.transport)
            let versioning = try await raw.send(
                .put, "", query: "versioning=",
                body: "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>", as: engine.admin)
            #expect(versioning.status == 200)
            let service = try await Self.service(engine)
            let bob = try await service.signUp(.apple, "canary-subject", email: "canary@gmail.com")
            let other = try await service.signUp(.google, "neighbour", device: 5)
            let user = bob.user.serviceUserID
            let admin = try engine.store()
            let photo = ObjectKey(known: StorageLayout.photo(user, md5: String(repeating: "a", count: 32)))
            let others = ObjectKey(known: StorageLayout.photo(other.user.serviceUserID, md5: "b"))
            for text in ["one", "two"] { try await admin.put(photo, ByteBuffer(string: text), if: .always) }
            try await admin.put(others, ByteBuffer(string: "stays"), if: .always)
            // Keys that only a user writes: deleted again, in another letter case, and not a key of this project.
            let deleted = ObjectKey(known: "\(StorageLayout.photos(user))deleted.dat")
            try await admin.put(deleted, ByteBuffer(string: "three"), if: .always)
            try await admin.delete(deleted, if: .always)
            try await admin.put(ObjectKey(known: "PHOTOS/\(user)/x"), ByteBuffer(string: "four"), if: .always)
            let folder = try await raw.send(.put, "users/\(user)/folder/", body: "", as: engine.admin)
            let upload = try await raw.send(
                .post, "photos/\(user)/unfinished.dat", query: "uploads=", as: engine.admin)
            #expect(folder.status == 200 && upload.status == 200)
            let caller = try await service.caller(bob.session)
            let code = try #require(
                try await service.services.deletion.schedule(.init(confirmation: "DELETE"), caller: caller).receiptCode)
            for _ in 0..<5 {
                service.clock.advance(by: 14 * 86_400)
                try await service.services.accountErasure.eraseDueAccounts()
            }
            let status = try await service.services.deletion.status(receiptCode: code)
            let record = try await service.components.accounts.deletions.record(user)?.value
            #expect(status.state == .completed, "\(record?.reason ?? "")")
            let left = try await Self.versions(raw, engine)
            #expect(!left.contains(user.description) && !left.contains("canary"), "\(left)")
            #expect(!left.lowercased().contains(user.description))
            #expect(try await admin.head(others) != nil, "another person's photo must stay")
            let uploads = try await raw.send(.get, "", query: "uploads=", as: engine.admin).text
            #expect(!uploads.contains(user.description))
            let payload = try #require(status.receipt?.split(separator: ".")[1])
            let text = String(decoding: try #require(Base64URL.decode(payload)), as: UTF8.self)
            #expect(text.contains(#""photos":{"bytes":"#) && text.contains(#""uploads":1"#), "\(text)")
            #expect(text.contains(#""versions":"#) && text.contains(#""deleteMarkers":"#))
        }
    }

    @Test("a session for one user erases nothing of another, and reads nothing")
    func boundary() async throws {
        try await SeaweedFS.run { engine in
            let access = try Self.access(engine)
            let (user, other) = (UserID(uuid: UUID()), UserID(uuid: UUID()))
            let own = ObjectKey(known: StorageLayout.photo(user, md5: "a"))
            let foreign = ObjectKey(known: StorageLayout.photo(other, md5: "a"))
            let admin = try engine.store()
            for key in [own, foreign] { try await admin.put(key, ByteBuffer(string: "x"), if: .always) }
            let erasure = try await access.erasure(of: user)
            #expect(try await erasure.count(below: StorageLayout.photos(user), except: []).objects == 1)
            for prefix in [StorageLayout.photos(other), "photos/", ""] {
                await #expect(throws: ObjectStoreError.self) { try await erasure.erase(below: prefix, except: []) }
            }
            await #expect(throws: ObjectStoreError.self) { try await erasure.erase(foreign, keepingCurrent: false) }
            let single = try await access.erasure(of: user, keys: [own])
            await #expect(throws: ObjectStoreError.self) { try await single.erase(foreign, keepingCurrent: false) }
            try await erasure.erase(below: StorageLayout.photos(user), except: [])
            #expect(try await admin.head(own) == nil)
            #expect(try await admin.head(foreign) != nil)
        }
    }

    private static func access(_ engine: SeaweedFS) throws -> S3ErasureAccess {
        let role = try #require(RoleARN(engine.eraserRole))
        let settings = try #require(
            STSSettings(
                role: role, region: "us-east-1", endpoint: engine.endpoint, bucket: engine.bucket,
                storeEndpoint: engine.endpoint))
        return S3ErasureAccess(
            settings: try engine.settings(), role: role, tokenService: settings,
            credentials: StaticCredentials(engine.service), transport: engine.transport,
            pause: Backoff(randomness: .system) { try? await Task.sleep(for: $0) }, now: { Date() })
    }

    /// Returns the service with the permissions of `deploy/aws` on the engine.
    static func service(_ engine: SeaweedFS) async throws -> TestService {
        var options = TestService.Options()
        options.erasure = try access(engine)
        options.mayIgnoreCase = true
        return try await TestService.make(options, store: engine.store(as: engine.service))
    }

    /// Returns all versions and delete markers of the bucket, as the engine lists them.
    private static func versions(_ raw: RawClient, _ engine: SeaweedFS) async throws -> String {
        try await raw.send(.get, "", query: "versions=", as: engine.admin).text
    }
}
