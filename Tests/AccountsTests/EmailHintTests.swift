import Accounts
import DevelopmentIdentityProvider
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import UseCases

/// An e-mail address can find an account hint and never signs a user in.
@Suite struct EmailHintTests {
    private func hints(_ act: () async throws -> SignedIn) async throws -> [ProviderName] {
        do {
            _ = try await act()
        } catch ServiceError.noAccountFound(let unknown) {
            return unknown.hints
        }
        throw ConformanceFailure("an account was found")
    }

    @Test(
        "a verified address finds the account of the other provider, whatever its domain",
        arguments: [(ProviderName.apple, ProviderName.google), (.google, .apple), (.google, .google)],
        ["Bob@gmail.com", "bob@own-domain.example"])
    func provenAddress(providers: (ProviderName, ProviderName), address: String) async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(providers.0, "bob-1", email: address, device: 1)
        let found = try await hints {
            try await service.signIn(providers.1, "bob-2", email: address.uppercased(), device: 2)
        }
        #expect(found == [providers.0])
    }

    @Test(
        "an unverified address, a relay, or one of an untrusted provider neither leaves nor finds a hint",
        arguments: [
            (ProviderName.apple, DevelopmentTokenRequest(subject: "x", email: "bob@gmail.com", emailVerified: false)),
            (.google, DevelopmentTokenRequest(subject: "x", email: "bob@gmail.com", emailVerified: false)),
            (.apple, DevelopmentTokenRequest(subject: "x", email: "bob@gmail.com", isPrivateEmail: true)),
            (.facebook, DevelopmentTokenRequest(subject: "x", email: "bob@gmail.com", emailVerified: true)),
        ])
    func unprovenAddress(provider: ProviderName, request: DevelopmentTokenRequest) async throws {
        func token(_ service: TestService) throws -> String {
            try service.development(provider).issueToken(request).idToken
        }
        let finder = try await TestService.make()
        _ = try await finder.signUp(.google, "bob", email: "bob@gmail.com", device: 1)
        let found = try await hints {
            try await finder.services.signIn.signIn(
                SignInRequest(provider: provider, idToken: token(finder), device: TestService.device(2)))
        }
        #expect(found.isEmpty)
        let leaver = try await TestService.make()
        _ = try await leaver.services.signUp.signUp(
            SignUpRequest(provider: provider, idToken: token(leaver), device: TestService.device(1)))
        #expect(try await hints { try await leaver.signIn(.google, "b", email: "bob@gmail.com", device: 2) }.isEmpty)
    }

    @Test("a hint names only the provider that left it, not the account's others")
    func oneProvider() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", email: "bob@own-domain.example", device: 1)
        _ = try await service.link(.google, "work", in: bob.session, email: "bob@work.example")
        let found = try await hints {
            try await service.signIn(.google, "other", email: "bob@own-domain.example", device: 2)
        }
        #expect(found == [.apple])
    }

    @Test("a pending identity sealed by an earlier version keeps its verified address")
    func earlierMember() throws {
        let stored = #"{"address":"b@c.d","isVerified":true,"isPrivate":false,"isAuthoritative":true}"#
        let email = try JSONDecoder().decode(VerifiedEmail.self, from: Data(stored.utf8))
        #expect(email.provesOwnership)
        #expect(try JSONDecoder().decode(VerifiedEmail.self, from: JSONEncoder().encode(email)) == email)
    }

    @Test("the same address at two providers stays two accounts")
    func neverLinks() async throws {
        let service = try await TestService.make()
        let apple = try await service.signUp(.apple, "bob", email: "bob@gmail.com", device: 1)
        let google = try await service.signUp(.google, "bob", email: "bob@gmail.com", device: 2)
        #expect(apple.user.serviceUserID != google.user.serviceUserID)
    }

    @Test("an address is not stored in plain text and is shown to its owner")
    func addressIsSealed() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.google, "bob", email: "bob@gmail.com")
        #expect(bob.user.linkedProviders.first?.email == "bob@gmail.com")
        for object in try await service.store.list(prefix: "", after: nil, limit: 1000).objects {
            let stored = try #require(try await service.store.get(object.key))
            #expect(!String(buffer: stored.bytes).contains("gmail"))
            #expect(!object.key.description.contains("gmail"))
        }
    }

    @Test("a hint whose link is gone is not returned and is removed")
    func staleHint() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.google, "bob-1", email: "bob@gmail.com", device: 1)
        let hint = try #require(
            try await service.store.list(prefix: "identities/email/", after: nil, limit: 10).objects.first
        )
        let unknown = "\(bob.user.serviceUserID)\n00000000-0000-4000-8000-000000000000\n"
        _ = try await service.store.put(hint.key, ByteBuffer(string: unknown), if: .always)
        let told = try await hints { try await service.signIn(.google, "bob-2", email: "bob@gmail.com", device: 2) }
        #expect(told.isEmpty)
        #expect(try await service.store.get(hint.key) == nil)
    }

    @Test("a hint left under an earlier master key is still found")
    func earlierKey() async throws {
        let store = MemoryObjectStore { Date(timeIntervalSince1970: 0) }
        let before = try await TestService.make(store: store)
        _ = try await before.signUp(.google, "bob-1", email: "bob@gmail.com", device: 1)
        var options = TestService.Options()
        options.hasNewMasterKey = true
        let after = try await TestService.make(options, store: store)
        let told = try await hints { try await after.signIn(.google, "bob-2", email: "bob@gmail.com", device: 2) }
        #expect(told == [.google])
    }

    @Test("addresses that are equal only in Unicode lower case are different addresses")
    func unicodeCase() async throws {
        let service = try await TestService.make()
        let (ascii, kelvin) = ("kelvin@example.com", "\u{212A}elvin@example.com")
        _ = try await service.signUp(.google, "k-1", email: ascii, device: 1)
        #expect(try await hints { try await service.signIn(.apple, "k-2", email: kelvin, device: 2) }.isEmpty)
        _ = try await service.signUp(.apple, "k-2", email: kelvin, device: 2)
        #expect(try await hints { try await service.signIn(.google, "k-3", email: kelvin, device: 3) } == [.apple])
        #expect(
            try await hints { try await service.signIn(.apple, "k-4", email: ascii.uppercased(), device: 4) }
                == [.google])
    }

    @Test("a hint of an earlier version for an address beyond ASCII is found only by that address")
    func earlierHash() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.google, "o-1", email: "ÖRN@example.se", device: 1)
        let hint = try #require(
            try await service.store.list(prefix: "identities/email/", after: nil, limit: 10).objects.first)
        let stored = try #require(try await service.store.get(hint.key))
        let keyID = service.keyRing.currentKeyID
        let code = try service.keyRing.authenticationCode(
            of: Data("örn@example.se".utf8), for: .emailHint, keyID: keyID)
        let earlier = ObjectKey(known: StorageLayout.emailHint("\(keyID)-\(Hex.encode(code))"))
        #expect(earlier != hint.key)
        _ = try await service.store.put(earlier, stored.bytes, if: .always)
        try await service.store.delete(hint.key, if: .always)
        #expect(
            try await hints { try await service.signIn(.apple, "o-2", email: "ÖRN@EXAMPLE.se", device: 2) } == [.google]
        )
        #expect(try await hints { try await service.signIn(.apple, "o-3", email: "örn@example.se", device: 3) }.isEmpty)
        #expect(try await service.store.get(earlier) != nil)
    }

    @Test("a hint is removed with its link")
    func hintGoes() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        let linked = try await service.link(.google, "g", in: bob.session, email: "bob@gmail.com")
        let link = try #require(linked.linkedProviders.first { $0.provider == .google })
        _ = try await service.services.linking.unlink(
            UnlinkRequest(linkID: link.linkID), caller: try await service.caller(bob.session)
        )
        #expect(try await service.store.list(prefix: "identities/email/", after: nil, limit: 10).objects.isEmpty)
    }

    @Test("an address gets five hints in ten minutes, then none, and sign-in otherwise responds as before")
    func limited() async throws {
        var options = TestService.Options()
        options.callRates = CallRates(address: 0, identity: 100, total: 0)
        let service = try await TestService.make(options)
        _ = try await service.signUp(.google, "bob-1", email: "bob@gmail.com", device: 1)
        func ask(_ number: Int) async throws -> [ProviderName] {
            try await hints { try await service.signIn(.google, "b-\(number)", email: "Bob@gmail.com", device: 2) }
        }
        for number in 0..<5 { #expect(try await ask(number) == [.google]) }
        _ = service.store.drainRequests()
        #expect(try await ask(5).isEmpty)
        // Only the identity binding was read.
        #expect(service.store.drainRequests().map(\.kind) == [.read])
        service.clock.advance(by: 120)
        #expect(try await ask(6) == [.google])
        #expect(try await ask(7).isEmpty)
    }
}
