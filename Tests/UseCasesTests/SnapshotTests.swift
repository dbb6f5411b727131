import AccountMaintenance
import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import UseCases

/// A store, its snapshot, and the store recovered from it.
@Suite struct SnapshotTests {
    @Test(
        "all identities are found in a recovered store, with any key encoding",
        arguments: KeyEncoding.Mode.allCases)
    func roundTrip(subjects: KeyEncoding.Mode) async throws {
        var options = TestService.Options()
        options.subjects = subjects
        let fixture = try await SnapshotFixture.make(options)
        let people = try await fixture.people()
        let target = emptyStore()
        let summary = try await fixture.recover(try await fixture.snapshot(), into: target).summary
        #expect(summary.accounts == 3 && summary.claims == 4 && summary.hints == 1 && summary.keyIDs == ["test"])

        let service = try await fixture.makeInstance(on: target, options)
        try await StoreRules(service: service).check()
        try await service.expect(.apple, "bob", opens: people.phone.user.serviceUserID)
        try await service.expect(.google, "bob", opens: people.phone.user.serviceUserID)
        try await service.expect(.apple, SnapshotFixture.longSubject, opens: people.carol.user.serviceUserID)
        try await service.expect(.apple, "eve", opens: people.eve.user.serviceUserID)
        try await service.expect(.apple, "unknown", opens: nil)
        try await StoreRules(service: service).checkRepaired()
    }

    @Test("all objects are unchanged except that accounts have ended their sessions")
    func contents() async throws {
        let fixture = try await SnapshotFixture.make()
        _ = try await fixture.people()
        let target = emptyStore()
        try await fixture.recover(try await fixture.snapshot(), into: target)
        let before = try #require(fixture.store as? MemoryObjectStore)
        var expected = try await before.contents().filter { key, _ in
            !["service/signing-keys.json", "service/spent/", "users/"].contains { key.hasPrefix($0) }
        }
        var found = try await target.contents()
        #expect(Set(expected.keys) == Set(found.keys))
        for key in expected.keys where key.hasSuffix("/account.json") {
            let (old, new) = (try object(expected[key]), try object(found[key]))
            #expect(old["sessionEpoch"] as? Int == (new["sessionEpoch"] as? Int).map { $0 - 1 })
            #expect(old["version"] as? Int == (new["version"] as? Int).map { $0 - 1 })
            #expect(old["links"] as? NSArray == new["links"] as? NSArray)
            expected[key] = nil
            found[key] = nil
        }
        #expect(expected == found)
    }

    private func object(_ text: String?) throws -> [String: Any] {
        let bytes = Data(try #require(text).utf8)
        return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }

    @Test("no earlier session is active in a recovered store, whether ended, idle or used since")
    func sessions() async throws {
        let fixture = try await SnapshotFixture.make()
        let people = try await fixture.people()
        let file = try await fixture.snapshot()
        let used = try await fixture.service.services.sessions.refresh(
            RefreshRequest(refreshToken: people.phone.session.refreshToken)
        ).session
        let target = emptyStore()
        try await fixture.recover(file, into: target)
        let service = try await fixture.makeInstance(on: target)
        for session in [people.phone.session, people.tablet.session, people.eve.session, used] {
            await #expect(throws: ServiceError.unauthorized("unknown key")) { try await service.caller(session) }
            await #expect(throws: ServiceError.sessionEnded) {
                try await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken))
            }
        }
        let again = try await service.signIn(.apple, "bob", device: 1)
        #expect(try await service.caller(again.session).user == people.phone.user.serviceUserID)
    }

    @Test("a snapshot names every master key that its objects depend on")
    func keyIDs() async throws {
        let fixture = try await SnapshotFixture.make()
        _ = try await fixture.service.signUp(.google, "bob", email: "bob@gmail.com")
        var options = TestService.Options()
        options.hasNewMasterKey = true
        let renewed = SnapshotFixture(
            service: try await fixture.makeInstance(on: fixture.store, options), store: fixture.store)
        _ = try await renewed.service.signUp(.apple, "eve", device: 4)
        let file = try await renewed.snapshot()
        #expect(try await renewed.recover(file, into: emptyStore()).summary.keyIDs == ["test", "test2"])
    }

    @Test("a snapshot contains only the service's account data")
    func scope() async throws {
        let fixture = try await SnapshotFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob", name: "Bob")
        for key in ["photos/\(bob.user.serviceUserID)/a.dat", "service/uploads/x/y/upload.json", "service/spent/1/a"] {
            try await fixture.store.put(ObjectKey(known: key), ByteBuffer(string: "x"), if: .always)
        }
        try await fixture.store.put(ObjectKey(known: "service/other.json"), ByteBuffer(string: "kept"), if: .always)
        let target = emptyStore()
        try await fixture.recover(try await fixture.snapshot(), into: target)
        let kinds = Set(
            try await target.contents().keys.map { $0.split(separator: "/").prefix(2).joined(separator: "/") })
        #expect(
            kinds == [
                "accounts/\(bob.user.serviceUserID)", "identities/apple", "service/other.json", "service/store.json",
            ])
    }

    @Test("audit entries unknown to the account document are omitted, and known ones are included")
    func auditChain() async throws {
        let fixture = try await SnapshotFixture.make()
        let bob = try await fixture.service.bobWithTwo()
        let user = bob.user.serviceUserID
        let document = ObjectKey(known: StorageLayout.accountDocument(user))
        let before = try #require(try await fixture.store.get(document)).bytes
        try await fixture.service.unlink(.google, in: bob.session)
        try await fixture.store.put(document, before, if: .always)
        let target = emptyStore()
        try await fixture.recover(try await fixture.snapshot(), into: target)
        let service = try await fixture.makeInstance(on: target)
        #expect(try await service.auditEvents(of: user) == [.accountCreated, .providerLinked])
        #expect(try await target.get(ObjectKey(known: StorageLayout.auditEntry(user, sequence: 3))) == nil)
    }

    @Test("an unreadable object is reported and omitted, and all others are saved")
    func unreadable() async throws {
        let fixture = try await SnapshotFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob")
        let large = ByteBuffer(repeating: 0x61, count: (1 << 20) + 1)
        try await fixture.store.put(ObjectKey(known: "identities/apple/huge"), large, if: .always)
        let lost = "accounts/\(UUID().uuidString.lowercased())/usage.json"
        try await fixture.store.put(ObjectKey(known: lost), ByteBuffer(string: "{}"), if: .always)
        var told: [String] = []
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let snapshot = StoreSnapshot(
            store: fixture.store, keyRing: fixture.service.keyRing, now: { fixture.service.clock.now },
            report: { continuation.yield($0.description) }
        )
        let summary = try await snapshot.write { (_) throws(SnapshotError) in }
        continuation.finish()
        for await key in stream { told.append(key) }
        #expect(summary.unreadable == 2 && summary.accounts == 1 && summary.claims == 1)
        #expect(told == ["identities/apple/huge", lost.replacing("usage.json", with: "account.json")])
        #expect(bob.user.primaryProvider == .apple)
    }
}
