import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Sessions
import Testing

/// The shared signing keys for access tokens: one set for all instances, each key published before it signs.
@Suite struct SigningKeysTests {
    private func keyIDs(_ keys: SigningKeys) throws -> [String] {
        struct Set: Decodable {
            struct Key: Decodable { let kid: String }
            let keys: [Key]
        }
        return try JSONDecoder().decode(Set.self, from: Data(keys.jsonWebKeySet().utf8)).keys.map(\.kid)
    }

    private func kid(_ token: String) throws -> String {
        struct Header: Decodable { let kid: String }
        let header = try #require(token.split(separator: ".").first.flatMap { Base64URL.decode($0) })
        return try JSONDecoder().decode(Header.self, from: header).kid
    }

    @Test("instances that start at the same time share one key")
    func oneKey() async throws {
        let store = MemoryObjectStore { Date(timeIntervalSince1970: 0) }
        let copies = try await withThrowingTaskGroup(of: TestService.self) { group in
            for seed in 1...8 {
                group.addTask {
                    var options = TestService.Options()
                    options.seed = UInt64(seed)
                    return try await TestService.make(options, store: store)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let sets = try Set(copies.map { try keyIDs($0.services.signingKeys) })
        #expect(sets.count == 1 && sets.first?.count == 1)
        let bob = try await copies[0].signUp(.apple, "bob").session
        #expect(try await copies[7].caller(bob).session.counter == 0)
    }

    @Test(
        "a new key is published for 15 minutes before it signs, and the old one stays while its tokens are valid")
    func rotation() async throws {
        let service = try await TestService.make()
        let keys = service.services.signingKeys
        let old = try #require(try keyIDs(keys).first)
        service.clock.advance(by: 30 * 86_400)
        try await keys.maintain()
        #expect(try keyIDs(keys).count == 2)
        let beforeLead = try await service.signUp(.apple, "bob").session
        #expect(try kid(beforeLead.accessToken) == old)
        service.clock.advance(by: 900)
        let afterLead = try await service.signIn(.apple, "bob").session
        #expect(try kid(afterLead.accessToken) == keyIDs(keys).last)
        service.clock.advance(by: 3600 + 901)
        try await keys.maintain()
        let remaining = try keyIDs(keys)
        #expect(!remaining.contains(old))
        #expect(remaining.count == 1)
    }

    @Test("an instance learns a new key from the first token that names it")
    func unknownKey() async throws {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let first = try await TestService.make(store: store, clock: clock)
        let second = try await TestService.make(store: store, clock: clock)
        clock.advance(by: 30 * 86_400)
        try await first.services.signingKeys.maintain()
        clock.advance(by: 900)
        let bob = try await first.signUp(.apple, "bob").session
        #expect(try await second.caller(bob).session.counter == 0)
    }

    @Test("many tokens with unknown keys cause one read in five seconds")
    func unknownKeyFlood() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        let parts = bob.accessToken.split(separator: ".")
        let header = Base64URL.encode(Data(#"{"alg":"ES256","kid":"unknown"}"#.utf8))
        let forged = "\(header).\(parts[1]).\(parts[2])"
        service.clock.advance(by: 60)
        _ = service.store.drainRequests()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { _ = try? await service.services.authenticator.authenticate(forged) } }
        }
        #expect(service.store.drainRequests().map(\.key) == [StorageLayout.signingKeys])
    }

    @Test("a store with signing keys under another master key is rejected")
    func otherMasterKey() async throws {
        let store = MemoryObjectStore { Date(timeIntervalSince1970: 0) }
        _ = try await TestService.make(store: store)
        let other = try #require(MasterKey(id: "other", bytes: Data(repeating: 9, count: 32)))
        let keys = SigningKeys(
            store: store, retry: RetryPolicy(backoff: Backoff(randomness: .seeded(2)) { _ in }),
            keyRing: KeyRing(current: other),
            now: { Date(timeIntervalSince1970: 0) }, randomness: .seeded(2)
        )
        await #expect(throws: SessionError.secrets(.unknownKey("test"))) { try await keys.maintain() }
    }
}
