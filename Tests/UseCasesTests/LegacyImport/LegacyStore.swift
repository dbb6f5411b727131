import AccountMaintenance
import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

@testable import photolala_server

/// A store as earlier systems left it, with every object named in their five designs.
struct LegacyStore {
    static let bob = "a7f8d93e-5c2f-4b8a-9d6e-1a2b3c4d5e6f"
    static let eve = "550e8400-e29b-41d4-a716-446655440000"
    static let unknownUserID = "660f9501-f39c-42e5-b827-557766551111"
    static let appleID = "000062.4d7e1357f2a04a0486d31db7e8ed98f8"
    static let googleID = "123456789012345678901"

    let clock: TestClock
    let store: MemoryObjectStore
    let keyRing: KeyRing

    private init(_ clock: TestClock, _ store: MemoryObjectStore, _ keyRing: KeyRing) {
        self.clock = clock
        self.store = store
        self.keyRing = keyRing
    }

    /// Bob, with three providers and photos in three places, and Eve, whose identity binding and photos already have
    /// current keys.
    static func make(isWhole: Bool = true) async throws -> LegacyStore {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let keyRing = try await TestService.make().keyRing
        let older = LegacyStore(clock, store, keyRing)
        try await older.addPeople()
        if isWhole { try await older.addUnusualObjects() }
        clock.advance(by: 86_400)
        return older
    }

    func copy() -> LegacyStore {
        let clock = TestClock(clock.now)
        return LegacyStore(clock, store.copy { clock.now }, keyRing)
    }

    /// Returns bytes that begin like a JPEG.
    static func photo(_ number: UInt64) -> ByteBuffer {
        ByteBuffer(bytes: [0xff, 0xd8, 0xff, 0xe0, 0, 16] + Randomness.seeded(number).bytes(500))
    }

    static func md5(_ number: UInt64) -> String { ContentDigest(of: photo(number)).description }

    func put(_ key: String, _ text: String) async throws { try await put(key, ByteBuffer(string: text)) }

    func put(_ key: String, _ bytes: ByteBuffer) async throws {
        let known = try #require(ObjectKey(key))
        _ = try await store.write(
            known, ObjectBody(bytes), attributes: ["content-type": "text/x-\(key.utf8.count)"], if: .always)
    }

    private func addPeople() async throws {
        let (bob, eve) = (Self.bob, Self.eve)
        try await put("identities/appleid/\(Self.appleID)", bob.uppercased() + " \r\n")
        clock.advance(by: 60)
        try await put("identities/google:\(Self.googleID)", #"{"serviceUserID":"\#(bob)","created":"2024-01-15"}"#)
        try await put("identities/fbid/77", "\n# File: identities/fbid/77\n\(bob)")
        try await put("identities/apple/eve", eve)
        let profile = #"{"version":1,"displayName":"Bob Smith","subscription":{"tier":"premium"},"#
        try await put("users/\(bob)/account/profile.json", profile + #""preferences":{"autoBackup":true,"x":[1]}}"#)
        try await put("users/\(bob)/account/providers.json", #"{"version":1}"#)
        try await put("users/\(bob)/photos/IMG_1.jpg", Self.photo(1))
        try await put("users/\(bob)/photos/2020/\(Self.md5(2)).jpg", Self.photo(2))
        try await put("users/\(bob)/thumbnails/\(Self.md5(2))_thumb.jpg", "thumb 2")
        try await put("users/\(bob)/metadata/catalog.json", "{}")
        try await put("photos/\(bob.uppercased())/\(Self.md5(3)).dat", Self.photo(3))
        try await put("thumbnails/\(bob.uppercased())/\(Self.md5(3)).dat", "thumb 3")
        let plist = ["originalFilename": "Beach.jpg", "dateTaken": "2021-08-01T10:00:00Z"]
        let bytes = try PropertyListSerialization.data(fromPropertyList: plist, format: .binary, options: 0)
        try await put("metadata/\(bob.uppercased())/\(Self.md5(3)).plist", ByteBuffer(bytes: bytes))
        try await put("photos/\(eve)/\(Self.md5(4)).dat", Self.photo(4))
        try await put("photos/\(eve)/\(Self.md5(9)).dat", Self.photo(5))
        try await put("catalogs/\(eve)/.photolala.md5", "0123456789abcdef0123456789abcdef")
        try await put("catalogs/\(eve)/.photolala.0123456789abcdef0123456789abcdef.csv", "md5,when\n")
    }

    /// Each object that is left unchanged, with the reason.
    static let unusualObjects: [String: ImportFinding.Kind] = [
        "identities/appleid/x": .claimConflict, "identities/apple:x": .claimConflict,
        "identities/fbid/78": .claimUnreadable, "identities/fbid/79": .claimUnreadable,
        "identities/google/\(String(repeating: "ab", count: 32))": .subjectHashed,
        "identities/email/\(String(repeating: "cd", count: 32))": .hintHashed,
        "identities/Apple/eve": .keyUnknown, "identities/loose": .keyUnknown,
        "photos/not-an-id/x.dat": .keyUnknown, "users/readme.txt": .keyUnknown,
        "photos/\(unknownUserID)/": .userUnclaimed, "users/\(unknownUserID)/": .userUnclaimed,
        "thumbnails/\(eve.uppercased())/\(md5(4)).dat": .destinationTaken,
        "users/\(eve)/account/user.json": .profileUnreadable,
    ]

    private func addUnusualObjects() async throws {
        try await put("identities/appleid/x", Self.bob)
        try await put("identities/apple:x", Self.eve)
        try await put("identities/fbid/78", "a3f4d5e6-b7c8-9d0e-1f2g-3h4i5j6k7l8m")
        try await put("identities/fbid/79", String(repeating: " ", count: 5000) + Self.bob)
        for key in Self.unusualObjects.keys.sorted() {
            guard key.hasPrefix("identities/") else { continue }
            let isThere = try await store.head(ObjectKey(known: key)) != nil
            if !isThere { try await put(key, Self.bob) }
        }
        try await put("photos/not-an-id/x.dat", "x")
        try await put("users/readme.txt", "x")
        try await put("photos/\(Self.unknownUserID)/\(Self.md5(6)).dat", Self.photo(6))
        try await put("users/\(Self.unknownUserID)/photos/x.jpg", Self.photo(6))
        try await put("thumbnails/\(Self.eve)/\(Self.md5(4)).jpg", "one")
        try await put("thumbnails/\(Self.eve.uppercased())/\(Self.md5(4)).dat", "other")
        try await put("users/\(Self.eve)/account/user.json", "[]")
        try await put("backups/identities/appleid/x", "not ours")
    }

    /// Returns an import of this store, optionally through another store.
    func legacyImport(
        _ other: (any ObjectStore)? = nil, seed: UInt64 = 1, atOnce: Int = 1, progress: ImportProgress? = nil,
        report: @escaping @Sendable (ImportFinding) -> Void = { _ in }
    ) -> LegacyImport {
        let store = other ?? store
        let randomness = Randomness.seeded(seed)
        let backoff = Backoff(randomness: randomness) { _ in await Task.yield() }
        return LegacyImport(
            store: store, retry: RetryPolicy(backoff: backoff), keyRing: keyRing, environment: .dev, subjects: nil,
            // Two imports are compared byte for byte.
            catalogs: LiveCatalogs(
                store: store, pause: backoff, randomness: Randomness { [UInt8](repeating: 7, count: $0) },
                now: { [clock] in clock.now }),
            concurrency: atOnce, now: { [clock] in clock.now },
            randomness: randomness, progress: progress, pause: { [clock] in clock.advance(by: $0) }, report: report
        )
    }

    /// Starts a server on the store.
    func serve(seed: UInt64 = 9) async throws -> TestService {
        try await TestService.makeInstance(seed, store, clock)
    }

    /// Returns every object with its bytes and metadata.
    func objects() async throws -> [String: String] {
        var found: [String: String] = [:]
        for object in try await store.list(prefix: "", after: nil, limit: 1000).objects {
            let bytes = try #require(try await store.get(object.key)).bytes
            let info = try #require(try await store.head(object.key))
            let attributes = info.attributes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            found[object.key.description] = "\(ContentDigest(of: bytes)) \(attributes)"
        }
        return found
    }

    func keys(_ prefix: String) async throws -> [String] {
        try await store.list(prefix: prefix, after: nil, limit: 1000).objects.map(\.key.description)
    }

    func catalog(_ user: String) async throws -> [CatalogEntry] {
        let pause = Backoff(randomness: .seeded(1)) { _ in }
        let user = try #require(UserID(user))
        return Array(try await CatalogStore(store: store, user: user, pause: pause).load().catalog.entries)
    }
}
