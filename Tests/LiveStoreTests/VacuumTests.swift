import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// What a deleted account leaves in the files of SeaweedFS.
@Suite(
    .disabled("SKIP_LIVE=1: nothing is proved against a real engine") { SeaweedFS.isSkipped },
    .enabled("scripts/install-seaweedfs installs the engine") { SeaweedFS.isInstalled })
struct VacuumTests {
    @Test("after an erasure and a vacuum the volumes have no content of the person; names stay in the filer alone")
    func contents() async throws {
        try await SeaweedFS.run { engine in
            let raw = RawClient(endpoint: engine.endpoint, bucket: engine.bucket, transport: engine.transport)
            let versioning = try await raw.send(
                .put, "", query: "versioning=",
                body: "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>", as: engine.admin)
            #expect(versioning.status == 200)
            let service = try await VersionedBucketTests.service(engine)
            let bob = try await service.signUp(
                .apple, "canary-subject", name: "Canary Name", email: "canary.mail@gmail.com")
            let other = try await service.signUp(.google, "neighbour", device: 5)
            let user = bob.user.serviceUserID
            let admin = try engine.store()
            let photo = ObjectKey(known: StorageLayout.photo(user, md5: String(repeating: "a", count: 32)))
            let theirs = ObjectKey(
                known: StorageLayout.photo(other.user.serviceUserID, md5: String(repeating: "b", count: 32)))
            for text in ["canary-photo-one", "canary-photo-two"] {
                try await admin.put(photo, ByteBuffer(string: text), if: .always)
            }
            try await admin.put(theirs, ByteBuffer(string: "neighbour-photo"), if: .always)
            let caller = try await service.caller(bob.session)
            _ = try await service.services.account.replaceProfile(
                user, with: Profile(displayName: "Canary Name"), if: .any, caller: caller)
            let contents = ["canary-photo-one", "canary-photo-two", "Canary Name"]
            for text in contents + ["\(user)", "neighbour-photo"] {
                #expect(try Self.files(engine, with: text).contains { $0.hasSuffix(".dat") }, "\(text)")
            }
            #expect(try !Self.files(engine, with: "canary-subject").isEmpty)
            _ = try await service.services.deletion.schedule(.init(confirmation: "DELETE"), caller: caller)
            for _ in 0..<5 {
                service.clock.advance(by: 14 * 86_400)
                try await service.services.accountErasure.eraseDueAccounts()
            }
            #expect(try await service.components.accounts.account(user) == nil)
            let bucket = "\(engine.bucket)_"
            try await waitUntil("the volumes of the bucket do not mention the person", every: .milliseconds(500)) {
                try await engine.vacuum()
                return try (contents + ["\(user)", "canary-subject"]).allSatisfy { text in
                    try !Self.files(engine, with: text).contains { $0.hasPrefix(bucket) }
                }
            }
            // The address is stored as a keyed hash only.
            for text in contents + ["canary.mail"] {
                let found = try Self.files(engine, with: text)
                #expect(found == [], "\(text) \(found)")
            }
            // The database of the filer, the log of its changes, which is in volumes without a collection, and the
            // engine's own log, which names the keys of slow requests.
            for text in ["\(user)", "canary-subject"] {
                let found = try Self.files(engine, with: text).filter {
                    !$0.hasPrefix("filerldb2/") && !$0.hasPrefix("weed.") && $0.wholeMatch(of: /[0-9]+\.dat/) == nil
                }
                #expect(found == [], "\(text) \(found)")
            }
            #expect(try Self.files(engine, with: "neighbour-photo").contains { $0.hasPrefix(bucket) })
        }
    }

    /// Returns the files of the engine whose content has a text.
    private static func files(_ engine: SeaweedFS, with text: String) throws -> [String] {
        let all = try #require(FileManager.default.enumerator(atPath: engine.folder.path)).allObjects
        // A vacuum replaces files while they are searched.
        return all.compactMap { $0 as? String }.filter { path in
            let content = FileManager.default.contents(atPath: engine.folder.appending(path: path).path) ?? Data()
            return content.range(of: Data(text.utf8)) != nil
        }
    }
}
