import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

/// The properties of a store are fixed at its first start.
@Suite struct StoreManifestTests {
    private let store = MemoryObjectStore { Date(timeIntervalSince1970: 0) }
    private let key = ObjectKey(known: StorageLayout.storeManifest)

    private func master(_ id: String, _ byte: UInt8) throws -> MasterKey {
        try #require(MasterKey(id: id, bytes: Data(repeating: byte, count: 32)))
    }

    private func check(
        _ environment: DeploymentEnvironment, subjects: KeyEncoding.Mode? = nil, keys: KeyRing? = nil
    ) async throws -> StoreManifest {
        let keyRing = try keys ?? KeyRing(current: master("k1", 1))
        return try await StoreManifest.check(
            store, retry: RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in }), environment: environment,
            subjects: subjects, keyRing: { keyRing }, now: Date(timeIntervalSince1970: 0)
        )
    }

    @Test("a store started in one environment is rejected in another")
    func otherEnvironment() async throws {
        #expect(try await check(.dev).environment == .dev)
        #expect(try await check(.dev).environment == .dev)
        await #expect(throws: StoreManifestError.environmentMismatch(.dev)) { try await check(.prod) }
    }

    @Test("no key is created or requested for a store of another environment")
    func noKeyForStrangers() async throws {
        _ = try await check(.dev)
        await #expect(throws: StoreManifestError.environmentMismatch(.dev)) {
            try await StoreManifest.check(
                store, retry: RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in }), environment: .stage,
                subjects: nil, keyRing: { throw SecretsError.sealFailed }, now: Date(timeIntervalSince1970: 0)
            )
        }
    }

    @Test("hashed subjects are chosen at the first start and then stay")
    func subjects() async throws {
        #expect(try await check(.stage, subjects: .hashed).subjects == .hashed)
        #expect(try await check(.stage).subjects == .hashed)
        await #expect(throws: StoreManifestError.keyEncodingMismatch(.hashed)) {
            try await check(.stage, subjects: .plain)
        }
    }

    @Test(
        "another master key with the same id is rejected in both encodings", arguments: KeyEncoding.Mode.allCases)
    func otherKey(mode: KeyEncoding.Mode) async throws {
        #expect(try await check(.stage, subjects: mode).subjectKeyID == "k1")
        let wrong = KeyRing(current: try master("k1", 2))
        await #expect(throws: StoreManifestError.keyMismatch("k1")) { try await check(.stage, keys: wrong) }
        let wrongPrevious = KeyRing(current: try master("k2", 1), previous: [try master("k1", 2)])
        await #expect(throws: StoreManifestError.keyMismatch("k1")) { try await check(.stage, keys: wrongPrevious) }
    }

    @Test("after a rotation the key of the subjects must be among the previous keys")
    func rotation() async throws {
        _ = try await check(.stage)
        let rotated = KeyRing(current: try master("k2", 2), previous: [try master("k1", 1)])
        #expect(try await check(.stage, keys: rotated).subjectKeyID == "k1")
        let without = KeyRing(current: try master("k2", 2))
        await #expect(throws: StoreManifestError.missingKey("k1")) { try await check(.stage, keys: without) }
    }

    @Test("a store of layout 1, which identified its key only by the id, is rejected")
    func olderLayout() async throws {
        let stamp = """
            {"createdAt":"1970-01-01T00:00:00Z","environment":"stage","layout":1,"subjectKeyID":"k1",\
            "subjects":"plain","version":1}
            """
        _ = try await store.put(key, ByteBuffer(string: stamp), if: .absent)
        await #expect(throws: StoreManifestError.layoutMismatch(1)) { try await check(.stage) }
    }

    @Test("a manifest without its check value is rejected")
    func withoutCheck() async throws {
        _ = try await check(.stage)
        let stamp = try #require(try await store.get(key))
        var members = try #require(
            JSONSerialization.jsonObject(with: Data(stamp.bytes.readableBytesView)) as? [String: Any]
        )
        #expect(members.removeValue(forKey: "subjectKeyCheck") is String)
        let changed = try JSONSerialization.data(withJSONObject: members)
        _ = try await store.put(key, ByteBuffer(bytes: changed), if: .always)
        await #expect(throws: StoreManifestError.keyMismatch("k1")) { try await check(.stage) }
    }
}
