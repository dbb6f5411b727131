import Crypto
import DevelopmentIdentityProvider
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Testing
import UseCases

@testable import Accounts

/// What a disabled account refuses, and what goes on.
@Suite struct DisabledAccountTests {
    private let key = P256.Signing.PrivateKey()

    private func reason(_ text: String = "Ticket 4711") throws -> OperatorReason { try #require(OperatorReason(text)) }

    private func support(_ service: TestService) -> AccountSupport {
        AccountSupport(accounts: service.components.accounts, codes: service.components.deletionCodes)
    }

    private func account(_ service: TestService, _ user: UserID) async throws -> AccountDocument {
        try #require(try await service.components.accounts.account(user)).value
    }

    private func refresh(_ service: TestService, _ session: Session) async throws -> Session {
        try await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken)).session
    }

    @Test("every way to sign in is refused, and sessions end at once")
    func refused() async throws {
        var options = TestService.Options()
        options.allowsContinue = true
        let service = try await TestService.make(options)
        let bob = try await service.signUp(.apple, "dev-bob")
        let bound = try await service.signIn(.apple, "dev-bob", device: 2, key: key).session
        let caller = try await service.caller(bob.session)
        let (cookie, _) = try await BrowserSignInFlow(service).open(.apple, .signin, as: "bob")
        try await support(service).disable(bob.user.serviceUserID, reason: try reason())

        for device in [1, 3] {
            await #expect(throws: ServiceError.accountDisabled) {
                try await service.signIn(.apple, "dev-bob", device: device)
            }
        }
        await #expect(throws: ServiceError.accountDisabled) { try await service.signUp(.apple, "dev-bob", device: 3) }
        await #expect(throws: ServiceError.accountDisabled) {
            try await service.services.signUp.continueSignIn(
                SignUpRequest(
                    provider: .apple, idToken: try service.token(.apple, "dev-bob"), device: TestService.device(3)))
        }
        await #expect(throws: ServiceError.accountDisabled) {
            try await BrowserSignInFlow(service).open(.apple, .signin, as: "bob")
        }
        await #expect(throws: ServiceError.accountDisabled) { try await refresh(service, bob.session) }
        await #expect(throws: ServiceError.accountDisabled) { try await service.refresh(bound, key) }
        // The caller was authenticated before.
        await #expect(throws: ServiceError.accountDisabled) {
            try await service.services.reauthentication.reauthenticate(
                ReauthenticationRequest(provider: .apple, idToken: try service.token(.apple, "dev-bob")), caller: caller
            )
        }
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(bob.session) }
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(bound, key) }
        await #expect(throws: ServiceError.sessionEnded) {
            try await service.services.authenticator.authenticate(browserCookie: cookie)
        }
    }

    @Test("a refused sign-in changes nothing in the account and stores no provider token")
    func refusedSignInChangesNothing() async throws {
        let bob = try await DelayedUnlink()
        try await bob.service.unlink(.apple, in: bob.phone)
        try await bob.service.services.providerEvents.apply(
            ProviderEvent(.consentRevoked, subject: "bob", at: bob.service.clock.now), of: .google)
        try await support(bob.service).disable(bob.user, reason: try reason())
        bob.service.clock.advance(by: 1)
        let before = try await account(bob.service, bob.user)
        #expect(before.links.map(\.state) == [.active, .revoked, .active] && before.links[0].pendingUnlink != nil)
        _ = bob.service.store.drainRequests()
        for provider in [ProviderName.apple, .google] {
            let proof = try bob.service.development(provider).issueToken(DevelopmentTokenRequest(subject: "bob"))
            await #expect(throws: ServiceError.accountDisabled) {
                try await bob.service.services.signIn.signIn(
                    SignInRequest(
                        provider: provider, idToken: proof.idToken, authorizationCode: proof.authorizationCode,
                        device: TestService.device(1)))
            }
        }
        #expect(bob.service.store.drainRequests().allSatisfy { $0.kind == .read })
        #expect(try await account(bob.service, bob.user) == before)
    }

    @Test("only a token of the account's identities, or of a session that the disabling ended, learns of it")
    func discretion() async throws {
        let service = try await TestService.make()
        let bob = try await service.bobWithTwo()
        let user = bob.user.serviceUserID
        let earlier = try await service.signIn(.google, "bob", device: 2).session
        let signedOut = try await service.signIn(.apple, "bob", device: 3).session
        try await support(service).endSessions(of: user, reason: try reason())
        let ended = try await service.signIn(.apple, "bob", device: 1).session
        try await service.services.sessions.signOut(refreshToken: signedOut.refreshToken)
        let stale = try service.token(.apple, "bob")
        service.clock.advance(by: 5)
        try await service.services.providerEvents.apply(
            ProviderEvent(.sessionsRevoked, subject: "bob", at: service.clock.now), of: .apple)
        service.clock.advance(by: 5)
        let replaced = try await service.signIn(.google, "bob", device: 4).session
        let last = try await service.signIn(.google, "bob", device: 4).session
        try await support(service).disable(user, reason: try reason())

        await #expect(throws: ServiceError.accountDisabled) { try await refresh(service, last) }
        for session in [earlier, signedOut, ended, replaced] {
            await #expect(throws: ServiceError.sessionEnded) { try await refresh(service, session) }
        }
        await #expect(throws: ServiceError.invalidToken(.notCurrent)) {
            try await service.services.signIn.signIn(
                SignInRequest(provider: .apple, idToken: stale, device: TestService.device(5)))
        }
        await #expect(throws: ServiceError.accountDisabled) { try await service.signIn(.apple, "bob", device: 5) }
        #expect(try await service.owner(.apple, "eve") == nil)
        try await support(service).endSessions(of: user, reason: try reason())
        await #expect(throws: ServiceError.sessionEnded) { try await refresh(service, last) }
    }

    @Test("an identity of a disabled account stays bound: another account cannot link it")
    func identityStays() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").user.serviceUserID
        let eve = try await service.signUp(.google, "eve", device: 9).session
        try await support(service).disable(bob, reason: try reason())
        await #expect(throws: ServiceError.providerAlreadyLinked) { try await service.link(.apple, "bob", in: eve) }
        service.clock.advance(by: 7200)
        try await service.repair()
        await #expect(throws: ServiceError.accountDisabled) { try await service.signIn(.apple, "bob") }
        try await support(service).enable(bob, reason: try reason())
        #expect(try await service.owner(.apple, "bob") == bob)
    }

    @Test("a disabled account has no storage access and no valid session, also with issued credentials")
    func storage() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        let caller = try await service.caller(bob.session)
        let issued = try await service.services.storageAccess.issueCredentials(caller)
        let session = try #require(
            SealedStorageSession.open(
                token: issued.sessionToken, accessKeyID: issued.accessKeyID, keyRing: service.keyRing))
        #expect(try await service.services.storageEntitlements.entitlement(of: session)?.access == .readWrite)
        try await support(service).disable(bob.user.serviceUserID, reason: try reason())
        #expect(try await service.services.storageEntitlements.entitlement(of: session) == nil)

        var document = caller.account.value
        func isValid() -> Bool {
            document.isSessionValid(
                caller.session.id, of: caller.session.link, startedAt: caller.session.startedAt, at: service.clock.now)
        }
        #expect(isValid() && document.storageAccess(within: 1) == .readWrite)
        document.disabled = DisabledAccount(since: service.clock.now, reason: "")
        #expect(!isValid() && document.storageAccess(within: 1) == nil)
        document.state = .deleting
        #expect(document.storageAccess(within: 1) == nil)
    }

    @Test("enabling allows sign-ins again, ends nothing anew and restores no session; both are recorded and reported")
    func enable() async throws {
        let fixture = try await DeletionFixture()
        let (service, support) = (fixture.service, support(fixture.service))
        await #expect(throws: AccountSupport.Refusal.notDisabled) {
            try await support.enable(fixture.user, reason: try reason())
        }
        let before = try #require(try await fixture.accounts.account(fixture.user))
        try await support.disable(fixture.user, reason: try reason("abuse report"))
        let disabled = try #require(try await account(service, fixture.user).disabled)
        #expect(disabled.reason == "abuse report" && disabled.since <= fixture.clock.now)
        fixture.clock.advance(by: 60)
        await #expect(throws: AccountSupport.Refusal.disabled(since: disabled.since)) {
            try await support.disable(fixture.user, reason: try reason())
        }
        // Another operator who read the account before.
        #expect(try await fixture.accounts.disable(before, reason: try reason()).value.disabled == disabled)
        let during = try #require(try await fixture.accounts.account(fixture.user))
        try await support.enable(fixture.user, reason: try reason("resolved"))
        #expect(try await fixture.accounts.enable(during, reason: try reason()).value.disabled == nil)

        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(fixture.bob.session) }
        await #expect(throws: ServiceError.sessionEnded) { try await refresh(service, fixture.bob.session) }
        let back = try await service.signIn(.google, "canary-google", device: 2).session
        let entries = try await fixture.services.account.history(
            fixture.user, before: nil, limit: 50, caller: try await service.caller(back)
        ).entries
        let acts = entries.filter { $0.act == .accountDisabled || $0.act == .accountEnabled }
        #expect(acts.map(\.reason) == ["resolved", "abuse report"] && acts.allSatisfy { $0.actor == .support })
        try await fixture.services.eventDelivery.deliverEvents()
        let events = fixture.receiver.events.map(\.type).filter { $0 == .accountDisabled || $0 == .accountEnabled }
        #expect(events == [.accountDisabled, .accountEnabled])
    }

    @Test("a scheduled deletion goes on, and an operator's deletion cannot be cancelled by the owner")
    func deletion() async throws {
        let fixture = try await DeletionFixture()
        let support = support(fixture.service)
        try await support.disable(fixture.user, reason: try reason())
        let first = try await support.scheduleDeletion(of: fixture.user, reason: try reason())
        #expect(first.isDisabled)
        await #expect(throws: ServiceError.accountDisabled) {
            try await fixture.service.signIn(.google, "canary-google", device: 2)
        }
        try await support.cancelDeletion(of: fixture.user, reason: try reason())
        try await support.placeHold(on: fixture.user, reason: try reason())
        _ = try await support.releaseHold(of: fixture.user, reason: try reason())
        let second = try await support.scheduleDeletion(of: fixture.user, reason: try reason())
        fixture.clock.advance(by: 14 * 86_400)
        try await fixture.services.accountErasure.eraseDueAccounts()
        for act in [support.disable, support.enable] {
            await #expect(throws: AccountSupport.Refusal.erasing) { try await act(fixture.user, try reason()) }
        }
        try await fixture.eraseCompletely()
        #expect(try await fixture.traces() == [])
        #expect(try await fixture.services.deletion.status(receiptCode: second.receiptCode).state == .completed)
    }

    @Test("a deletion that is scheduled for an account that is not disabled can be cancelled by its owner")
    func otherDeletion() async throws {
        let fixture = try await DeletionFixture()
        let deletion = try await support(fixture.service).scheduleDeletion(of: fixture.user, reason: try reason())
        #expect(!deletion.isDisabled)
    }

    @Test("provider events, renewals, usage counts and an operator's export still work")
    func goesOn() async throws {
        let fixture = try await DeletionFixture()
        let (service, clock) = (fixture.service, fixture.clock)
        try await support(service).disable(fixture.user, reason: try reason())
        let before = try await account(service, fixture.user)
        clock.advance(by: 60)
        let purchase = TestPurchase(TestAppStore.premium, id: "1000", at: clock.now, for: fixture.user)
        try await service.services.subscriptions.handleAppStoreNotification(
            try fixture.appStore.notification(
                "DID_RENEW", id: UUID(), transaction: try fixture.appStore.transaction(purchase.renewed(id: "1001"))))
        #expect(try await account(service, fixture.user).subscriptions != before.subscriptions)
        try await service.services.providerEvents.apply(
            ProviderEvent(.consentRevoked, subject: "canary-google", at: clock.now), of: .google)
        #expect(try await account(service, fixture.user).links.map(\.state) == [.active, .revoked])
        try await service.services.providerEvents.apply(
            ProviderEvent(.accountDeleted, subject: DeletionFixture.subject, at: clock.now), of: .apple)
        let deleting = try await account(service, fixture.user)
        #expect(deleting.state == .deleting && deleting.deletion?.actor == .provider && deleting.disabled != nil)

        let export = try await AccountExportFixture()
        try await support(export.service).disable(export.user, reason: try reason())
        try await export.service.services.usageCount.countUsage()
        #expect(try await account(export.service, export.user).storedBytes ?? 0 > 0)
        let summary = try await export.service.services.operatorExport.write(
            export.user, reason: try reason()
        ) { _ in }
        #expect(summary.isComplete && summary.photos == 3)
    }
}
