import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Sessions
import Testing
import UseCases

@testable import photolala_server

/// What `account show` prints.
@Suite struct AccountReportTests {
    @Test("the report names links, devices and sessions, but no subject and no e-mail address")
    func report() async throws {
        let fixture = try await DeletionFixture()
        let devices = fixture.service.components.sessions.devices
        func report() async throws -> AccountReport {
            let account = try #require(try await fixture.accounts.account(fixture.user)).value
            return AccountReport(
                account, logNames: ["k2": "0123456789abcdef", "k1": "fedcba9876543210"], tier: .premium,
                devices: try await devices.devices(of: fixture.user), arrival: nil,
                entries: try await fixture.accounts.history(of: account, before: nil, limit: 10),
                at: fixture.clock.now)
        }
        let before = try await report()
        #expect(before.links.map(\.provider) == [.apple, .google])
        #expect(before.devices.map(\.isSignedIn) == [true, true])
        for text in [before.text, JSONLine.encode(before)] {
            #expect(text.contains(fixture.user.description) && text.contains("premium"))
            #expect(text.contains("0123456789abcdef") && text.contains("fedcba9876543210"))
            #expect(!text.localizedCaseInsensitiveContains("canary"))
        }
        let support = AccountSupport(
            accounts: fixture.accounts, codes: fixture.service.components.deletionCodes)
        let reason = try #require(OperatorReason("Ticket 4711"))
        try await support.endSessions(of: fixture.user, reason: reason)
        let after = try await report()
        #expect(after.devices.map(\.isSignedIn) == [false, false])
        #expect(
            after.audit.first?.act == .signedOutEverywhere && after.text.contains("by support  reason: Ticket 4711"))
    }
    @Test("a cancelled deletion is neither listed nor overdue, and a scheduled one is listed until it is overdue")
    func deletions() async throws {
        let fixture = try await DeletionFixture()
        func lines() async throws -> [DeletionLine] {
            try await DeletionLine.all(in: fixture.accounts, at: fixture.clock.now)
        }
        let code = try #require(try await fixture.schedule().undoCode)
        let scheduled = try await lines()
        #expect(scheduled.map(\.state) == ["scheduled"] && scheduled.map(\.isOverdue) == [false])
        try await fixture.services.deletion.cancel(undoCode: code)
        fixture.clock.advance(by: 40 * 86_400)
        #expect(try await lines().isEmpty)
        #expect(try await fixture.accounts.deletions.all().count == 1)
    }
}
