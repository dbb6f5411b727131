import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import UseCases

/// Subjects as key segments: safe, one to one, and hashed if the store manifest requires it.
@Suite struct KeyEncodingTests {
    private func encoding(_ mode: KeyEncoding.Mode) throws -> KeyEncoding {
        let key = try #require(MasterKey(id: "k1", bytes: Data(repeating: 1, count: 32)))
        return KeyEncoding(mode: mode, keyID: "k1", keyRing: KeyRing(current: key))
    }

    @Test(
        "plain subjects stay readable and all other bytes are escaped",
        arguments: [
            ("001234.5678abcd.9012", "001234.5678abcd.9012"), ("a/b", "a=2Fb"), ("..", "=2E."), (".x", "=2Ex"),
            ("~hash", "=7Ehash"), ("=", "=3D"), ("Ä", "=C3=84"), ("a b|c", "a=20b=7Cc"), ("\u{0}", "=00"),
        ])
    func escaping(subject: String, segment: String) throws {
        #expect(try encoding(.plain).segment(.apple, subject) == segment)
    }

    @Test("different subjects never share a segment")
    func oneToOne() throws {
        let subjects = ["a", "A", "=41", "a=", "é", "e\u{301}", "a/b", "a=2Fb", "~a", ".", "..", " ", ""]
        let segments = try subjects.map { try encoding(.plain).segment(.apple, $0) }
        #expect(Set(segments).count == subjects.count)
    }

    @Test("a 255-byte subject of any ASCII character has a valid key segment")
    func alwaysLegal() throws {
        for byte in UInt8(0)...127 {
            let subject = String(repeating: String(UnicodeScalar(byte)), count: 255)
            let segment = try encoding(.plain).segment(.google, subject)
            #expect(ObjectKey(StorageLayout.identity(.google, segment: segment)) != nil)
        }
    }

    @Test("a subject whose escaped form is too long is hashed and stored sealed in the account")
    func longSubject() async throws {
        let service = try await TestService.make()
        let subject = String(repeating: "/", count: 255)
        let bob = try await service.signUp(.google, subject)
        let account = try #require(try await service.components.accounts.account(bob.user.serviceUserID))
        let link = try #require(account.value.links.first)
        #expect(link.segment.hasPrefix("~") && link.segment.utf8.count == 65)
        let opened = try service.keyRing.open(
            try #require(link.sealedSubject), for: .providerSubject, context: bob.user.serviceUserID.description
        )
        #expect(opened == Data(subject.utf8))
        #expect(try await service.signIn(.google, subject).user.serviceUserID == bob.user.serviceUserID)
    }

    @Test("in a hashed store no key contains a subject, and hashes differ between providers")
    func hashedStore() async throws {
        var options = TestService.Options()
        options.subjects = .hashed
        let service = try await TestService.make(options)
        let bob = try await service.signUp(.apple, "001234.bob")
        let linked = try await service.link(.google, "001234.bob", in: bob.session)
        #expect(linked.linkedProviders.count == 2)
        let keys = try await service.store.list(prefix: "identities/", after: nil, limit: 10).objects
            .map(\.key.description)
        #expect(keys.count == 2 && !keys.contains { $0.contains("001234") })
        #expect(Set(keys.map { $0.split(separator: "/").last }).count == 2)
        #expect(try await service.signIn(.google, "001234.bob").user.serviceUserID == bob.user.serviceUserID)
    }
}
