import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Linking and unlinking, with their conditions and effects.
@Suite struct LinkingTests {
    private func unlink(_ service: TestService, _ provider: ProviderName, in session: Session) async throws
        -> LinkedProviders
    {
        let caller = try await service.caller(session)
        let links = try await service.services.account.linkedAccounts(caller).linkedProviders
        let link = try #require(links.first { $0.provider == provider })
        return try await service.services.linking.unlink(UnlinkRequest(linkID: link.linkID), caller: caller)
    }

    @Test("linking requires authentication within ten minutes, and reauthentication restores it")
    func recentProof() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        service.clock.advance(by: 601)
        await #expect(throws: ServiceError.reauthenticationRequired) {
            try await service.link(.google, "g", in: bob)
        }
        let proven = try await service.services.reauthentication.reauthenticate(
            ReauthenticationRequest(provider: .apple, idToken: try service.token(.apple, "bob")),
            caller: try await service.caller(bob)
        ).session
        #expect(try await service.link(.google, "g", in: bob.renewed(by: proven)).linkedProviders.count == 2)
    }

    @Test("a refresh does not renew recent authentication")
    func refreshIsNoProof() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        service.clock.advance(by: 601)
        let later = try await service.services.sessions.refresh(RefreshRequest(refreshToken: bob.refreshToken)).session
        await #expect(throws: ServiceError.reauthenticationRequired) {
            try await service.link(.google, "g", in: later)
        }
    }

    @Test("reauthentication with an unknown identity or another account's identity fails")
    func foreignProof() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1).session
        _ = try await service.signUp(.apple, "eve", device: 2)
        for subject in ["eve", "unknown"] {
            await #expect(throws: ServiceError.invalidToken(.ruleNotMet("identity is not linked to this account"))) {
                try await service.services.reauthentication.reauthenticate(
                    ReauthenticationRequest(provider: .apple, idToken: try service.token(.apple, subject)),
                    caller: try await service.caller(bob)
                )
            }
        }
    }

    @Test("linking an identity of another account fails and leaves nothing behind")
    func takenIdentity() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        let eve = try await service.signUp(.google, "eve", device: 2)
        await #expect(throws: ServiceError.providerAlreadyLinked) {
            try await service.link(.google, "eve", in: bob.session)
        }
        let links = try await service.services.account.linkedAccounts(try await service.caller(bob.session))
        #expect(links.linkedProviders.map(\.provider) == [.apple])
        #expect(try await service.signIn(.google, "eve").user.serviceUserID == eve.user.serviceUserID)
    }

    @Test("linking a linked identity changes nothing")
    func linkingTwice() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        let once = try await service.link(.google, "g", in: bob)
        #expect(try await service.link(.google, "g", in: bob) == once)
    }

    @Test("two identities of one provider can be linked")
    func twoGoogleIdentities() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.google, "work").session
        #expect(try await service.link(.google, "home", in: bob).linkedProviders.count == 2)
    }

    @Test("the last identity cannot be unlinked")
    func lastProvider() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        await #expect(throws: ServiceError.lastProvider) { try await unlink(service, .apple, in: bob) }
    }

    @Test("an unlinked identity does not sign in and is free again")
    func unlinkedIdentityIsFree() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        _ = try await service.link(.google, "g", in: bob.session)
        #expect(try await unlink(service, .google, in: bob.session).linkedProviders.map(\.provider) == [.apple])
        await #expect { try await service.signIn(.google, "g", device: 2) } throws: { $0.isNoAccountFound }
        let other = try await service.signUp(.google, "g", device: 2)
        #expect(other.user.serviceUserID != bob.user.serviceUserID)
    }

    @Test("an unlinked identity can be linked again")
    func relinking() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        _ = try await service.link(.google, "g", in: bob.session)
        _ = try await unlink(service, .google, in: bob.session)
        #expect(try await service.link(.google, "g", in: bob.session).linkedProviders.count == 2)
        #expect(try await service.signIn(.google, "g", device: 2).user.serviceUserID == bob.user.serviceUserID)
    }

    @Test("unlinking the primary identity makes the oldest remaining one primary")
    func primaryMovesOn() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        _ = try await service.link(.google, "g", in: bob)
        let rest = try await unlink(service, .apple, in: bob)
        #expect(rest.linkedProviders.map(\.isPrimary) == [true])
        #expect(rest.linkedProviders.map(\.provider) == [.google])
    }

    @Test("unlinking ends the sessions that the link opened, except the calling session")
    func sessionsOfTheLink() async throws {
        let service = try await TestService.make()
        let phone = try await service.signUp(.apple, "bob", device: 1).session
        _ = try await service.link(.google, "g", in: phone)
        let tablet = try await service.signIn(.google, "g", device: 2).session
        let laptop = try await service.signIn(.google, "g", device: 3).session
        _ = try await unlink(service, .google, in: laptop)
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(tablet) }
        for session in [phone, laptop] {
            #expect(try await service.caller(session).account.value.links.count == 1)
        }
    }

    @Test("unlinking another account's link returns not found")
    func foreignLink() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        let eve = try await service.signUp(.apple, "eve", device: 2)
        let link = try #require(bob.user.linkedProviders.first?.linkID)
        await #expect(throws: ServiceError.notFound) {
            try await service.services.linking.unlink(
                UnlinkRequest(linkID: link), caller: try await service.caller(eve.session)
            )
        }
    }

    @Test("an account has at most 32 identities, and linking a linked one again succeeds")
    func most() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        for number in 1..<32 { _ = try await service.link(.google, "g-\(number)", in: bob) }
        await #expect(throws: ServiceError.tooManyLinks) { _ = try await service.link(.google, "one-more", in: bob) }
        #expect(try await service.owner(.google, "one-more") == nil)
        #expect(try await service.link(.google, "g-31", in: bob).linkedProviders.count == 32)
    }
}
