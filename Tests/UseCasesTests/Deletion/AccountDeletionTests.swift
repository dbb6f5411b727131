import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Scheduling and cancelling the deletion of an account.
@Suite struct AccountDeletionTests {
    @Test("a deletion ends all sessions, and limits the account to sign-ins and reading")
    func schedule() async throws {
        let fixture = try await DeletionFixture()
        let overview = try await fixture.schedule()
        let deletion = try #require(overview.deletion)
        #expect(deletion.erasesAt == deletion.requestedAt.addingTimeInterval(14 * 86_400) && overview.undoDays == 14)
        #expect(overview.contents.photos.objects == 2 && overview.countedAt != nil)
        #expect(overview.subscriptions.map(\.originalTransactionID) == ["1000"])
        await #expect(throws: ServiceError.sessionEnded) { try await fixture.service.caller(fixture.bob.session) }
        let back = try await fixture.service.signIn(.google, "canary-google", device: 2)
        #expect(back.user.deletion == deletion)
        let caller = try await fixture.service.caller(back.session)
        #expect(try await fixture.services.storageAccess.issueCredentials(caller).access == .read)
        await #expect(throws: ServiceError.accountDeleting) {
            try await fixture.service.link(.facebook, "f", in: back.session)
        }
        await #expect(throws: ServiceError.storageReadOnly) {
            try await fixture.services.account.replaceProfile(
                fixture.user, with: Profile(displayName: "x"), if: .any, caller: caller)
        }
        await #expect(throws: ServiceError.accountDeleting) {
            try await fixture.services.deletion.schedule(.init(confirmation: "DELETE"), caller: caller)
        }
        await #expect(throws: ServiceError.accountAlreadyExists) {
            try await fixture.service.signUp(.apple, DeletionFixture.subject, device: 3)
        }
    }

    @Test("a deletion requires the typed confirmation and recent authentication", arguments: ["", "delete", "DELETE "])
    func confirmation(text: String) async throws {
        let fixture = try await DeletionFixture()
        let caller = try await fixture.service.caller(fixture.bob.session)
        await #expect(throws: ServiceError.invalidRequest("confirmation must be \"DELETE\".")) {
            try await fixture.services.deletion.schedule(.init(confirmation: text), caller: caller)
        }
        fixture.clock.advance(by: 601)
        await #expect(throws: ServiceError.reauthenticationRequired) {
            try await fixture.services.deletion.schedule(.init(confirmation: "DELETE"), caller: caller)
        }
        #expect(try await fixture.accounts.account(fixture.user)?.value.state == .active)
    }

    @Test("an identity that was linked recently cannot delete the account of an older one")
    func newIdentity() async throws {
        let fixture = try await DeletionFixture { $0.unlinkDelay = 86_400 }
        let eve = try await fixture.service.signIn(.google, "canary-google", device: 2)
        let caller = try await fixture.service.caller(eve.session)
        await #expect(throws: ServiceError.identityTooNew) {
            try await fixture.services.deletion.schedule(.init(confirmation: "DELETE"), caller: caller)
        }
    }

    @Test("a session cancels a deletion, and the account works as before")
    func cancel() async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        let back = try await fixture.service.signIn(.apple, DeletionFixture.subject)
        let overview = try await fixture.services.deletion.cancel(try await fixture.service.caller(back.session))
        #expect(overview.deletion == nil && overview.receiptCode == nil)
        let caller = try await fixture.service.caller(back.session)
        #expect(try await fixture.services.storageAccess.issueCredentials(caller).access == .readWrite)
        await #expect(throws: ServiceError.noDeletionScheduled) {
            try await fixture.services.deletion.cancel(caller)
        }
        let before = try await fixture.traces()
        fixture.clock.advance(by: 40 * 86_400)
        try await fixture.services.accountErasure.eraseDueAccounts()
        #expect(try await fixture.accounts.deletions.record(fixture.user) == nil, "the record has no use any more")
        #expect(try await fixture.traces().count == before.count - 1)
        let acts = try await fixture.service.auditEvents(of: fixture.user)
        #expect(acts.contains(.deletionRequested) && acts.contains(.deletionCancelled))
    }

    @Test("an undo code cancels its deletion only, and only until the data is erased")
    func undoCode() async throws {
        let fixture = try await DeletionFixture()
        let code = try #require(try await fixture.schedule().undoCode)
        try await fixture.services.deletion.cancel(undoCode: code)
        #expect(try await fixture.accounts.account(fixture.user)?.value.state == .active)
        let back = try await fixture.service.signIn(.apple, DeletionFixture.subject)
        let second = try await fixture.services.deletion.schedule(
            .init(confirmation: "DELETE"), caller: try await fixture.service.caller(back.session))
        for wrong in [code, "", "00", "\(code)0", second.receiptCode ?? ""] {
            await #expect(throws: ServiceError.noDeletionScheduled) {
                try await fixture.services.deletion.cancel(undoCode: wrong)
            }
        }
        fixture.clock.advance(by: 14 * 86_400)
        try await fixture.services.accountErasure.eraseDueAccounts()
        await #expect(throws: ServiceError.noDeletionScheduled) {
            try await fixture.services.deletion.cancel(undoCode: try #require(second.undoCode))
        }
    }

    @Test("a deletion request of the only identity's provider schedules the deletion; its repetition changes nothing")
    func provider() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.facebook, "218471")
        let event = ProviderEvent(.accountDeleted, subject: "218471", at: service.clock.now)
        try await service.services.providerEvents.apply(event, of: .facebook)
        let account = try #require(try await service.components.accounts.account(bob.user.serviceUserID))
        #expect(account.value.state == .deleting && account.value.deletion?.actor == .provider)
        try await service.services.providerEvents.apply(event, of: .facebook)
        #expect(
            try await service.components.accounts.account(bob.user.serviceUserID)?.value.deletion
                == account.value.deletion)
        let code = try service.components.deletionCodes.makeUndoCode(
            try #require(account.value.deletion?.id), of: bob.user.serviceUserID)
        try await service.services.deletion.cancel(undoCode: code)
        try await service.services.providerEvents.apply(event, of: .facebook)
        #expect(
            try await service.components.accounts.account(bob.user.serviceUserID)?.value.state == .active,
            "a late repetition must not undo the person's decision")
    }

    @Test("a deletion request of one of several providers revokes its identity and keeps the account")
    func oneOfSeveral() async throws {
        let fixture = try await DeletionFixture()
        fixture.clock.advance(by: 5)
        let event = ProviderEvent(.accountDeleted, subject: DeletionFixture.subject, at: fixture.clock.now)
        try await fixture.services.providerEvents.apply(event, of: .apple)
        let account = try #require(try await fixture.accounts.account(fixture.user)).value
        #expect(account.state == .active && account.links.map(\.state) == [.revoked, .active])
    }
}
