import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// The state that interrupted operations leave, and how later operations complete it.
@Suite struct IdentityBindingTests {
    private func binding(_ service: TestService, _ provider: String, _ subject: String) async throws -> String? {
        try await service.store.get(ObjectKey(known: "identities/\(provider)/\(subject)")).map {
            String(buffer: $0.bytes)
        }
    }

    private func write(_ service: TestService, _ key: String, _ text: String) async throws {
        _ = try await service.store.put(ObjectKey(known: key), ByteBuffer(string: text), if: .always)
    }

    private func edit(
        _ service: TestService, _ user: UserID, _ change: (inout AccountDocument) -> Void
    ) async throws {
        let key = ObjectKey(known: StorageLayout.accountDocument(user))
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let stored = try #require(try await service.store.get(key))
        var document = try decoder.decode(AccountDocument.self, from: Data(stored.bytes.readableBytesView))
        change(&document)
        document.version += 1
        _ = try await service.store.put(key, ByteBuffer(bytes: try encoder.encode(document)), if: .matches(stored.etag))
    }

    /// Sets the state of the account's link with a provider.
    private func setState(
        _ state: LinkState, of provider: ProviderName, _ service: TestService, _ user: UserID
    ) async throws {
        try await edit(service, user) { document in
            document.links = document.links.map { link in
                var changed = link
                if link.provider == provider { changed.state = state }
                return changed
            }
        }
    }

    @Test("an identity binding has the account id on its first line and the link id on its second")
    func claimForm() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").user
        let link = try #require(bob.linkedProviders.first?.linkID)
        #expect(try await binding(service, "apple", "bob") == "\(bob.serviceUserID)\n\(link)\n")
    }

    @Test("a binding whose link the account does not list is removed and the identity is free")
    func unlistedClaim() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").user
        try await write(service, "identities/google/g", "\(bob.serviceUserID)\n\(TestService.device(77).id)\n")
        await #expect { try await service.signIn(.google, "g", device: 2) } throws: { $0.isNoAccountFound }
        #expect(try await binding(service, "google", "g") == nil)
        #expect(try await service.signUp(.google, "g", device: 2).user.serviceUserID != bob.serviceUserID)
    }

    @Test("a binding without an account is an error and does not free the identity")
    func claimWithoutAccount() async throws {
        let service = try await TestService.make()
        let unknown = "00000000-0000-4000-8000-000000000000"
        try await write(service, "identities/apple/bob", "\(unknown)\n\(unknown)\n")
        await #expect(throws: ServiceError.internal("corrupted: identity binding without an account")) {
            try await service.signUp(.apple, "bob")
        }
        #expect(try await binding(service, "apple", "bob") != nil)
    }

    @Test("a malformed binding is an error and is not removed", arguments: ["", "x", "not a uuid\nnot a uuid\n"])
    func unreadableClaim(text: String) async throws {
        let service = try await TestService.make()
        try await write(service, "identities/apple/bob", text)
        await #expect(throws: ServiceError.internal("corrupted: malformed identity binding")) {
            try await service.signIn(.apple, "bob")
        }
        #expect(try await binding(service, "apple", "bob") == text)
    }

    @Test("a pending link with its binding is completed by the next sign-in")
    func pendingIsRolledForward() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        _ = try await service.link(.google, "g", in: bob.session)
        try await setState(.pending, of: .google, service, bob.user.serviceUserID)
        let signedIn = try await service.signIn(.google, "g", device: 2)
        #expect(signedIn.user.linkedProviders.map(\.state) == [.active, .active])
    }

    @Test("a pending link whose binding was never written is completed by linking again")
    func pendingWithoutClaim() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        _ = try await service.link(.google, "g", in: bob.session)
        try await setState(.pending, of: .google, service, bob.user.serviceUserID)
        try await service.store.delete(ObjectKey(known: "identities/google/g"), if: .always)
        let linked = try await service.link(.google, "g", in: bob.session)
        #expect(linked.linkedProviders.map(\.state) == [.active, .active])
        #expect(try await service.signIn(.google, "g", device: 2).user.serviceUserID == bob.user.serviceUserID)
    }

    @Test("sign-in with an identity whose unlink was interrupted fails and completes the unlink")
    func removingIsFinished() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        _ = try await service.link(.google, "g", in: bob.session)
        try await setState(.removing, of: .google, service, bob.user.serviceUserID)
        await #expect { try await service.signIn(.google, "g", device: 2) } throws: { $0.isNoAccountFound }
        #expect(try await binding(service, "google", "g") == nil)
        let account = try #require(try await service.components.accounts.account(bob.user.serviceUserID))
        #expect(account.value.links.map(\.provider) == [.apple])
    }

    @Test("a binding under a key that its link does not list is ignored and removed")
    func claimUnderAnotherName() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "bob")
        let bytes = try #require(try await binding(service, "apple", "bob"))
        try await write(service, "identities/apple/eve", bytes)
        #expect(try await service.owner(.apple, "eve") == nil)
        #expect(try await binding(service, "apple", "eve") == nil)
        #expect(try await service.owner(.apple, "bob") != nil)
    }

    @Test(
        "only an active link counts as a remaining provider when another is unlinked",
        arguments: [LinkState.pending, .removing, .revoked])
    func lastActiveLink(state: LinkState) async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        _ = try await service.link(.google, "g", in: bob.session)
        try await setState(state, of: .google, service, bob.user.serviceUserID)
        await #expect(throws: ServiceError.lastProvider) { try await service.unlink(.apple, in: bob.session) }
        #expect(try await service.owner(.apple, "bob") == bob.user.serviceUserID)
    }

    @Test("a revoked link becomes active when its identity signs in again")
    func revokedComesBack() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        try await setState(.revoked, of: .apple, service, bob.user.serviceUserID)
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(bob.session) }
        #expect(try await service.signIn(.apple, "bob").user.linkedProviders.map(\.state) == [.active])
    }

    @Test(
        "the binding of a deleted or abandoned account is removed by the next sign-in attempt",
        arguments: [
            AccountState.deleted, AccountState.abandoned,
        ])
    func goneAccount(state: AccountState) async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        try await edit(service, bob.user.serviceUserID) { $0.state = state }
        await #expect { try await service.signIn(.apple, "bob") } throws: { $0.isNoAccountFound }
        #expect(try await binding(service, "apple", "bob") == nil)
    }
}
