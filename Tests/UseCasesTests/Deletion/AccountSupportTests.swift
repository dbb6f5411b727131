import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Testing
import UseCases

@testable import photolala_server

/// What an operator does to an account.
@Suite struct AccountSupportTests {
    private static let reason = OperatorReason("Ticket 4711")

    private func support(_ fixture: DeletionFixture) -> AccountSupport {
        AccountSupport(accounts: fixture.accounts, codes: fixture.service.components.deletionCodes)
    }

    private func account(_ fixture: DeletionFixture) async throws -> AccountDocument {
        try #require(try await fixture.accounts.account(fixture.user)).value
    }

    /// Returns the last stored audit entry.
    private func lastEntry(_ fixture: DeletionFixture) async throws -> AuditEntry {
        let entries = try await fixture.accounts.history(of: try await account(fixture), before: nil, limit: 1)
        return try #require(entries.first)
    }

    @Test("ended sessions are invalid, and the owner reads the operator's reason in the history")
    func endSessions() async throws {
        let fixture = try await DeletionFixture()
        let reason = try #require(Self.reason)
        try await support(fixture).endSessions(of: fixture.user, reason: reason)
        await #expect(throws: ServiceError.sessionEnded) { try await fixture.service.caller(fixture.bob.session) }
        let back = try await fixture.service.signIn(.google, "canary-google", device: 2)
        let page = try await fixture.services.account.history(
            fixture.user, before: nil, limit: 50, caller: try await fixture.service.caller(back.session))
        let record = try #require(page.entries.first { $0.act == .signedOutEverywhere })
        #expect(record.actor == .support && record.reason == "Ticket 4711" && record.deviceID == nil)
        #expect(page.entries.filter { $0.reason != nil }.count == 1)
    }

    @Test("a deletion by an operator can be cancelled by the owner or an operator, and is erased if it is not")
    func delete() async throws {
        let fixture = try await DeletionFixture()
        let (support, reason) = (support(fixture), try #require(Self.reason))
        await #expect(throws: AccountSupport.Refusal.noDeletionScheduled) {
            try await support.cancelDeletion(of: fixture.user, reason: reason)
        }
        let first = try await support.scheduleDeletion(of: fixture.user, reason: reason)
        #expect(try await account(fixture).deletion?.actor == .support)
        #expect(try await account(fixture).deletion?.erasesAt == first.erasesAt)
        #expect(try await lastEntry(fixture).reason == "Ticket 4711")
        let record = try #require(try await fixture.accounts.deletions.record(fixture.user))
        fixture.clock.advance(by: 60)
        await #expect(throws: AccountSupport.Refusal.deletionScheduled) {
            try await support.scheduleDeletion(of: fixture.user, reason: reason)
        }
        #expect(try await fixture.accounts.deletions.record(fixture.user)?.etag == record.etag, "nothing was changed")
        try await support.cancelDeletion(of: fixture.user, reason: reason)
        let last = try await lastEntry(fixture)
        #expect(last.act == .deletionCancelled && last.actor == .support && last.reason == "Ticket 4711")

        let second = try await support.scheduleDeletion(of: fixture.user, reason: reason)
        let status = try await fixture.services.deletion.status(receiptCode: second.receiptCode)
        #expect(status.state == .scheduled && status.erasesAt == second.erasesAt)
        fixture.clock.advance(by: 14 * 86_400)
        try await fixture.services.accountErasure.eraseDueAccounts()
        for act in [support.endSessions, support.cancelDeletion, support.placeHold] {
            await #expect(throws: AccountSupport.Refusal.erasing) { try await act(fixture.user, reason) }
        }
        try await fixture.eraseCompletely()
        #expect(try await fixture.services.deletion.status(receiptCode: second.receiptCode).state == .completed)
        await #expect(throws: AccountSupport.Refusal.notFound) {
            try await support.endSessions(of: fixture.user, reason: reason)
        }
    }

    @Test("an account on legal hold is not erased after the period for cancelling, and is after the release")
    func hold() async throws {
        let fixture = try await DeletionFixture()
        let (support, reason) = (support(fixture), try #require(Self.reason))
        await #expect(throws: AccountSupport.Refusal.notHeld) {
            try await support.releaseHold(of: fixture.user, reason: reason)
        }
        try await support.placeHold(on: fixture.user, reason: reason)
        let since = try #require(try await account(fixture).legalHold?.since)
        await #expect(throws: AccountSupport.Refusal.held(since: since)) {
            try await support.placeHold(on: fixture.user, reason: reason)
        }
        try await fixture.schedule()
        let before = try await fixture.traces()
        for _ in 0..<3 {
            fixture.clock.advance(by: 20 * 86_400)
            try await fixture.services.accountErasure.eraseDueAccounts()
        }
        #expect(try await account(fixture).state == .deleting)
        #expect(Set(try await fixture.traces()).isSuperset(of: before))
        let record = try #require(try await fixture.accounts.deletions.record(fixture.user)).value
        let line = DeletionLine(record, try await account(fixture), at: fixture.clock.now)
        #expect(line.text.contains("scheduled") && line.text.hasSuffix("  legal hold") && !line.isOverdue)
        _ = try await support.releaseHold(of: fixture.user, reason: reason)
        let entry = try await lastEntry(fixture)
        #expect(entry.act == .holdReleased && entry.reason == "Ticket 4711")
        let released = try #require(try await fixture.accounts.deletions.record(fixture.user)).value
        let waiting = try await account(fixture)
        #expect(!DeletionLine(released, waiting, at: fixture.clock.now.addingTimeInterval(7 * 86_400)).isOverdue)
        #expect(DeletionLine(released, waiting, at: fixture.clock.now.addingTimeInterval(9 * 86_400)).isOverdue)
        try await fixture.eraseCompletely()
        #expect(try await fixture.traces() == [])
        #expect(!fixture.receiver.events.contains { $0.type.rawValue.hasPrefix("account.hold") })
    }

    @Test("a hold that is placed while an erasure begins stops it")
    func race() async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        fixture.clock.advance(by: 20 * 86_400)
        let read = try #require(try await fixture.accounts.account(fixture.user))
        try await support(fixture).placeHold(on: fixture.user, reason: try #require(Self.reason))
        #expect(try await fixture.accounts.makeTombstone(of: read) == nil)
        #expect(try await account(fixture).state == .deleting)
    }

    @Test("the owner cancels the deletion of an account on hold, and sees the hold's reason")
    func cancelOnHold() async throws {
        let fixture = try await DeletionFixture()
        try await fixture.schedule()
        try await support(fixture).placeHold(on: fixture.user, reason: try #require(Self.reason))
        fixture.clock.advance(by: 20 * 86_400)
        try await fixture.services.accountErasure.eraseDueAccounts()
        let back = try await fixture.service.signIn(.apple, DeletionFixture.subject)
        let caller = try await fixture.service.caller(back.session)
        _ = try await fixture.services.deletion.cancel(caller)
        #expect(try await account(fixture).state == .active)
        let page = try await fixture.services.account.history(fixture.user, before: nil, limit: 50, caller: caller)
        let record = try #require(page.entries.first { $0.act == .holdPlaced })
        #expect(record.actor == .support && record.reason == Self.reason?.text)
    }

    @Test("an identity's account is found without a write, and one that is not linked is not")
    func lookUp() async throws {
        let fixture = try await DeletionFixture()
        let (apple, google) = (ProviderName.apple, ProviderName.google)
        _ = fixture.service.store.drainRequests()
        #expect(try await fixture.accounts.linkedAccount(apple, DeletionFixture.subject)?.serviceUserID == fixture.user)
        #expect(try await fixture.accounts.linkedAccount(google, "canary-google")?.serviceUserID == fixture.user)
        #expect(try await fixture.accounts.linkedAccount(google, DeletionFixture.subject) == nil)
        #expect(fixture.service.store.drainRequests().allSatisfy { $0.kind == .read })
    }
}
