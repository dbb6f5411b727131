import Flows
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Linking and unlinking, and what they need and leave.
@Suite struct LinkingTests {
    private func unlink(_ service: TestService, _ provider: ProviderName, in session: Session) async throws
        -> LinkedProviders
    {
        let caller = try await service.caller(session)
        let links = try await service.services.linkedAccounts(caller).linkedProviders
        let link = try #require(links.first { $0.provider == provider })
        return try await service.services.unlink(UnlinkRequest(linkID: link.linkID), caller: caller)
    }

    @Test("Linking needs a proof of at most ten minutes, and proving it again brings it back")
    func recentProof() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        service.clock.advance(by: 601)
        await #expect(throws: FlowError.reauthenticationRequired) {
            try await service.link(.google, "g", in: bob)
        }
        let proven = try await service.services.reauthenticate(
            ReauthenticationRequest(provider: .apple, idToken: try service.token(.apple, "bob")),
            caller: try await service.caller(bob)
        ).session
        #expect(try await service.link(.google, "g", in: bob.renewed(by: proven)).linkedProviders.count == 2)
    }

    @Test("Refreshing does not make a proof more recent")
    func refreshIsNoProof() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        service.clock.advance(by: 601)
        let later = try await service.services.refresh(RefreshRequest(refreshToken: bob.refreshToken)).session
        await #expect(throws: FlowError.reauthenticationRequired) {
            try await service.link(.google, "g", in: later)
        }
    }

    @Test("Somebody else's identity, or an unknown one, proves nothing again")
    func foreignProof() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1).session
        _ = try await service.signUp(.apple, "eve", device: 2)
        for subject in ["eve", "nobody"] {
            await #expect(throws: FlowError.self) {
                try await service.services.reauthenticate(
                    ReauthenticationRequest(provider: .apple, idToken: try service.token(.apple, subject)),
                    caller: try await service.caller(bob)
                )
            }
        }
    }

    @Test("An identity of another account cannot be linked, and nothing is left of the try")
    func takenIdentity() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        let eve = try await service.signUp(.google, "eve", device: 2)
        await #expect(throws: FlowError.providerAlreadyLinked) {
            try await service.link(.google, "eve", in: bob.session)
        }
        let links = try await service.services.linkedAccounts(try await service.caller(bob.session))
        #expect(links.linkedProviders.map(\.provider) == [.apple])
        #expect(try await service.signIn(.google, "eve").user.serviceUserID == eve.user.serviceUserID)
    }

    @Test("Linking what is linked already changes nothing")
    func linkingTwice() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        let once = try await service.link(.google, "g", in: bob)
        #expect(try await service.link(.google, "g", in: bob) == once)
    }

    @Test("Two identities of one provider can be linked")
    func twoGoogleIdentities() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.google, "work").session
        #expect(try await service.link(.google, "home", in: bob).linkedProviders.count == 2)
    }

    @Test("The last identity stays")
    func lastProvider() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        await #expect(throws: FlowError.lastProvider) { try await unlink(service, .apple, in: bob) }
    }

    @Test("An unlinked identity signs nobody in and is free again")
    func unlinkedIdentityIsFree() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        _ = try await service.link(.google, "g", in: bob.session)
        #expect(try await unlink(service, .google, in: bob.session).linkedProviders.map(\.provider) == [.apple])
        await #expect(throws: FlowError.self) { try await service.signIn(.google, "g", device: 2) }
        let other = try await service.signUp(.google, "g", device: 2)
        #expect(other.user.serviceUserID != bob.user.serviceUserID)
    }

    @Test("An unlinked identity can be linked again")
    func relinking() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        _ = try await service.link(.google, "g", in: bob.session)
        _ = try await unlink(service, .google, in: bob.session)
        #expect(try await service.link(.google, "g", in: bob.session).linkedProviders.count == 2)
        #expect(try await service.signIn(.google, "g", device: 2).user.serviceUserID == bob.user.serviceUserID)
    }

    @Test("Unlinking the primary makes the oldest other one primary")
    func primaryMovesOn() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        _ = try await service.link(.google, "g", in: bob)
        let rest = try await unlink(service, .apple, in: bob)
        #expect(rest.linkedProviders.map(\.isPrimary) == [true])
        #expect(rest.linkedProviders.map(\.provider) == [.google])
    }

    @Test("Unlinking ends the sessions that the link opened, except the one that asks")
    func sessionsOfTheLink() async throws {
        let service = try await TestService.make()
        let phone = try await service.signUp(.apple, "bob", device: 1).session
        _ = try await service.link(.google, "g", in: phone)
        let tablet = try await service.signIn(.google, "g", device: 2).session
        let laptop = try await service.signIn(.google, "g", device: 3).session
        _ = try await unlink(service, .google, in: laptop)
        await #expect(throws: FlowError.sessionEnded) { try await service.caller(tablet) }
        for session in [phone, laptop] {
            #expect(try await service.caller(session).account.value.links.count == 1)
        }
    }

    @Test("Another account's link is not found")
    func foreignLink() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        let eve = try await service.signUp(.apple, "eve", device: 2)
        let link = try #require(bob.user.linkedProviders.first?.linkID)
        await #expect(throws: FlowError.notFound) {
            try await service.services.unlink(
                UnlinkRequest(linkID: link), caller: try await service.caller(eve.session)
            )
        }
    }

    @Test("An account opens with 32 identities at most, and one that is linked may be linked again")
    func most() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        for number in 1..<32 { _ = try await service.link(.google, "g-\(number)", in: bob) }
        await #expect(throws: FlowError.tooManyLinks) { _ = try await service.link(.google, "one-more", in: bob) }
        #expect(try await service.owner(.google, "one-more") == nil)
        #expect(try await service.link(.google, "g-31", in: bob).linkedProviders.count == 32)
    }
}
