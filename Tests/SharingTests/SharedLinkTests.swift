import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

@testable import Sharing

/// The tokens, passwords and documents of shared links.
@Suite struct SharedLinkTests {
    private let user = UserID(uuid: UUID())

    private static func store() -> MemoryObjectStore {
        MemoryObjectStore { Date(timeIntervalSince1970: 1_700_000_000) }
    }

    private func links(_ store: MemoryObjectStore) -> SharedLinks {
        SharedLinks(
            store: store, retry: RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in await Task.yield() }),
            randomness: .seeded(3)
        ) { Date(timeIntervalSince1970: 1_700_000_000) }
    }

    private let options = SharedLinkOptions(
        title: "Summer", expiresAt: nil, password: nil, allowsDownloads: true, includesLocation: false)

    @Test func `a token has one form, and its id does not contain its secret`() throws {
        let token = SharedLinkToken(user, randomness: .seeded(1))
        let text = token.description
        #expect(text.utf8.count == 43 && SharedLinkToken(text) == token && token.user == user)
        let secret = Hex.encode(try #require(Base64URL.decode(text)).suffix(16))
        #expect(token.id.description != secret && SharedLinkID(token.id.description) == token.id)
        for other in ["", String(text.dropLast()), text + "A", text + "=", text.uppercased(), " \(text)"] {
            #expect(SharedLinkToken(other) != token, "\(other)")
        }
        for id in ["", "g" + token.id.description.dropFirst(), token.id.description.uppercased() + "a", "../x"] {
            #expect(SharedLinkID(String(id)) == nil, "\(id)")
        }
    }

    @Test func `a token with another secret or account opens nothing`() async throws {
        let store = Self.store()
        let links = links(store)
        let link = try await links.create(user, .photos([]), options)
        #expect(try await links.link(link.token)?.document == link.document)
        #expect(try await links.link(SharedLinkToken(user, randomness: .seeded(9))) == nil)
        var bytes = try #require(Base64URL.decode(link.token.description))
        bytes[0] ^= 1
        let foreign = try #require(SharedLinkToken(Base64URL.encode(bytes)))
        #expect(foreign.id == link.id && foreign.user != user)
        #expect(try await links.link(foreign) == nil)
        // An object of another account under this one's prefix is damage.
        let other = try await links.create(foreign.user, .photos([]), options)
        let object = try #require(
            try await store.get(ObjectKey(known: StorageLayout.sharedLink(foreign.user, id: "\(other.id)"))))
        _ = try await store.put(
            ObjectKey(known: StorageLayout.sharedLink(user, id: "\(other.id)")), object.bytes, if: .always)
        await #expect(throws: SharingError.self) { _ = try await links.link(other.id, of: user) }
    }

    @Test func `a password is hashed with a salt of its own`() throws {
        let randomness = Randomness.seeded(5)
        let password = try SharedLinkPassword("correct horse", randomness: randomness)
        #expect(try password.matches("correct horse"))
        for wrong in ["", "correct hors", "correct horse ", String(repeating: "x", count: 200)] {
            #expect(try !password.matches(wrong), "\(wrong)")
        }
        #expect(try SharedLinkPassword("cafe\u{301} horse", randomness: randomness).matches("caf\u{e9} horse"))
        let other = try SharedLinkPassword("correct horse", randomness: randomness)
        #expect(other != password && other.tag != password.tag)
        #expect(!String(decoding: try JSONEncoder().encode(password), as: UTF8.self).contains("horse"))
    }

    @Test func `an account has at most a hundred links`() async throws {
        let links = links(Self.store())
        for _ in 0..<SharedLinks.maximumPerAccount {
            try await links.requireRoom(for: user)
            _ = try await links.create(user, .album("0123456789abcdef"), options)
        }
        await #expect(throws: SharingError.tooManyLinks) { try await links.requireRoom(for: user) }
        let all = try await links.all(of: user)
        #expect(all.count == 100 && Set(all.map(\.token)).count == 100)
        try await links.delete(all[0].id, of: user)
        try await links.requireRoom(for: user)
        #expect(try await links.link(all[0].token) == nil)
    }

    @Test func `views are counted, and a view of an older state is not`() async throws {
        let links = links(Self.store())
        let link = try await links.create(user, .photos([]), options)
        try await links.countView(of: link)
        try await links.countView(of: link)
        #expect(try await links.link(link.token)?.document.views == 1)
        let changed = try await links.change(link.id, of: user) { $0.options.title = "Winter" }
        #expect(changed.document.views == 1 && changed.document.options.title == "Winter")
    }
}
