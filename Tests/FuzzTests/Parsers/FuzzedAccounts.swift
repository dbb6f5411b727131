import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import StorageAccess
import Synchronization

@testable import AccountMaintenance
@testable import Accounts

extension FuzzedParser {
    private static let user = UserID(uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)))

    /// Keys and documents in the store: subjects come from providers, profiles from their owners, snapshots from files.
    static func accounts() async throws -> [FuzzedParser] {
        let service = try await TestService.make()
        let snapshot = try await snapshot(of: service)
        let link = LinkID(uuid: user.uuid)
        return [
            FuzzedParser(text: "subject", ["001.bob", "a=b/c..é", ".hidden", "107691503500061507151130820"]) {
                subject in
                let escaped = KeyEncoding.escape(subject)
                let back = KeyEncoding.unescape(escaped)
                try PropertyViolation.unless(
                    back.map { $0.utf8.elementsEqual(subject.utf8) } ?? false, "decoding reverses encoding")
                guard (1...255).contains(subject.utf8.count) else { return false }
                let spelling = KeyEncoding(mode: .plain, keyID: "test", keyRing: service.keyRing)
                let key = "claims/\(try spelling.segment(.apple, subject))"
                try PropertyViolation.unless(ObjectKey(key) != nil, "an encoded subject is part of a key")
                return true
            },
            FuzzedParser(text: "escaped subject", ["001.bob", "=2Ehidden", "a=3Db=2Fc..=C3=A9"]) { segment in
                guard let subject = KeyEncoding.unescape(segment) else { return false }
                let again = KeyEncoding.escape(subject)
                try PropertyViolation.unless(again.utf8.elementsEqual(segment.utf8), "a subject has one encoding")
                return true
            },
            FuzzedParser(text: "identity binding", ["\(user)\n\(link)\n"]) { text in
                guard let claim = IdentityBinding(ByteBuffer(string: text)) else { return false }
                try PropertyViolation.unless(
                    IdentityBinding(claim.bytes) == claim, "an identity binding is read as it was written")
                return true
            },
            FuzzedParser("snapshot", [snapshot], tokens: .json) { bytes in
                guard let objects = try await self.objects(in: bytes, service) else { return false }
                let same = try await self.objects(in: snapshot, service)
                try PropertyViolation.unless(objects == same, "changed bytes do not open")
                return true
            },
            FuzzedParser(
                text: "profile",
                [
                    #"{"displayName":"Bob","picture":"users/\#(user)/me.jpg","preferences":{"a":true,"b":-1.5}}"#,
                    #"{"picture":"https://example.com/a%20b?c=d#e","preferences":{}}"#,
                ], tokens: .json
            ) { try await readProfile($0) },
            FuzzedParser(
                text: "usage", [#"{"version":1,"bytes":5000000000,"objects":17,"countedAt":"2026-11-22T00:00:00Z"}"#],
                tokens: .json
            ) { text in
                guard let read = Documents<UsageDocument>.decode(ByteBuffer(string: text)) else { return false }
                let again = Documents<UsageDocument>.decode(try Documents<UsageDocument>.bytes(of: read))
                try PropertyViolation.unless(again == read, "a count is read as it was written")
                return true
            },
        ]
    }

    private static func snapshot(of service: TestService) async throws -> [UInt8] {
        _ = try await service.signUp(.apple, "snapshot", name: "S")
        let file = Mutex<[UInt8]>([])
        let snapshot = StoreSnapshot(
            store: service.store, keyRing: service.keyRing, now: { service.clock.now }, report: { _ in })
        _ = try await snapshot.write { (bytes) throws(SnapshotError) in
            file.withLock { $0.append(contentsOf: bytes.readableBytesView) }
        }
        return file.withLock { $0 }
    }

    /// Returns the objects in a snapshot; `nil` if it is rejected.
    private static func objects(in file: [UInt8], _ service: TestService) async throws -> [String]? {
        let pieces = Mutex<[ByteBuffer]>(
            stride(from: 0, to: file.count, by: 700).map { start in
                ByteBuffer(bytes: file[start..<min(start + 700, file.count)])
            }.reversed())
        var reader = SnapshotReader { () throws(SnapshotError) in pieces.withLock { $0.popLast() } }
        var objects: [String] = []
        do {
            _ = try await reader.read(service.keyRing) { key, bytes in objects.append("\(key) \(String(buffer: bytes))")
            }
            return objects
        } catch {
            return nil
        }
    }

    /// A profile is any object that its owner stored at the profile's key.
    private static func readProfile(_ text: String) async throws -> Bool {
        let store = MemoryObjectStore { ForgedProvider.now }
        let retry = RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in })
        let profiles = Profiles(store: store, retry: retry)
        let key = ObjectKey(known: StorageLayout.profile(user))
        _ = try await store.put(key, ByteBuffer(string: text), if: .always)
        let read: Profile?
        do {
            read = try await profiles.load(user)?.profile
        } catch ProfileError.unreadable {
            return false
        }
        guard let read else { return false }
        _ = try await profiles.replace(read, for: user, if: .exists)
        let again = try await profiles.load(user)?.profile
        try PropertyViolation.unless(again == read, "a profile is read as it was written")
        return true
    }
}
