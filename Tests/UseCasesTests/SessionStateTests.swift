import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// A session must be active at the moment of the act: ending it after the check must still stop the act.
@Suite struct SessionStateTests {
    private func linkRequest(_ service: TestService) throws -> LinkRequest {
        LinkRequest(provider: .google, idToken: try service.token(.google, "g"))
    }

    @Test("a link requested before sign-out everywhere is rejected and leaves nothing behind")
    func linkAfterSignOutEverywhere() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        let caller = try await service.caller(bob)
        try await service.services.sessions.signOutEverywhere(caller)
        await #expect(throws: ServiceError.sessionEnded) {
            try await service.services.linking.link(try linkRequest(service), caller: caller)
        }
        #expect(try await service.owner(.google, "g") == nil)
    }

    @Test("a device that is removed while a provider's keys are fetched links nothing")
    func linkAfterRemoval() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        let caller = try await service.caller(bob)
        try await service.services.devices.removeDevice(bob.deviceID, caller: caller)
        await #expect(throws: ServiceError.sessionEnded) {
            try await service.services.linking.link(try linkRequest(service), caller: caller)
        }
    }

    @Test("an unlink requested before sign-out everywhere is rejected")
    func unlinkAfterSignOutEverywhere() async throws {
        let service = try await TestService.make()
        let bob = try await service.bobWithTwo().session
        let id = try await service.linkID(.google, bob)
        let caller = try await service.caller(bob)
        try await service.services.sessions.signOutEverywhere(caller)
        await #expect(throws: ServiceError.sessionEnded) {
            try await service.services.linking.unlink(UnlinkRequest(linkID: id), caller: caller)
        }
        #expect(try await service.owner(.google, "bob") != nil)
    }

    @Test("reauthentication that completes after the device's removal does not restore the session")
    func proofAfterRemoval() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        let caller = try await service.caller(bob)
        try await service.services.devices.removeDevice(bob.deviceID, caller: caller)
        await #expect(throws: ServiceError.sessionEnded) {
            try await service.services.reauthentication.reauthenticate(
                ReauthenticationRequest(provider: .apple, idToken: try service.token(.apple, "bob")), caller: caller
            )
        }
    }

    @Test("a device that unlinks its own sign-in identity stays signed in, and two such unlinks leave one identity")
    func unlinkingOwn() async throws {
        let service = try await TestService.make()
        let phone = try await service.bobWithTwo().session
        let tablet = try await service.signIn(.google, "bob", device: 2).session
        let caller = try await service.caller(tablet)
        let google = try await service.linkID(.google, tablet)
        try await service.unlink(.apple, in: phone)
        await #expect(throws: ServiceError.lastProvider) {
            try await service.services.linking.unlink(UnlinkRequest(linkID: google), caller: caller)
        }
        for session in [phone, tablet] {
            let next = try await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken))
                .session
            #expect(try await service.caller(next).account.value.links.map(\.provider) == [.google])
        }
        // The retained session ends with the next sign-out everywhere.
        try await service.services.sessions.signOutEverywhere(try await service.caller(tablet))
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(phone) }
    }

    @Test("signing out twice with one access token is not an error")
    func signOutTwice() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        try await service.services.sessions.signOut(accessToken: bob.accessToken)
        try await service.services.sessions.signOut(accessToken: bob.accessToken)
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(bob) }
    }

    @Test("an account that is being deleted accepts no new identity")
    func deletingTakesNoLink() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        let documents = Documents<AccountDocument>(
            store: service.store, retry: RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in })
        )
        let key = ObjectKey(known: StorageLayout.accountDocument(bob.user.serviceUserID))
        let stored = try #require(try await documents.load(key))
        var deleting = stored.value
        deleting.state = .deleting
        _ = try await documents.replace(key, stored, with: deleting)
        await #expect(throws: ServiceError.accountDeleting) { try await service.link(.google, "g", in: bob.session) }
        #expect(try await service.owner(.google, "g") == nil)
    }
}
