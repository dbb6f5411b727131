import AccountMaintenance
import Accounts
import Foundation
import PhotolalaAPI
import Testing

@testable import ServiceWiring
@testable import photolala_server

/// What the operator's commands print.
@Suite struct ReportTests {
    @Test("counts use the singular for one")
    func counts() {
        #expect(Counted.accounts(1) == "1 account" && Counted.accounts(0) == "0 accounts")
        #expect(Counted.text(1, "entry", plural: "entries") == "1 entry")
        #expect(Counted.text(2, "entry", plural: "entries") == "2 entries")
    }

    @Test("a verdict about an audit log with one entry uses the singular")
    func verdict() {
        let verdict = AuditReport.Verdict(account: UserID(uuid: UUID()), entries: 1, isProven: true)
        #expect(AuditReport(isJSON: false).line(verdict) == "1 entry: the audit log is intact")
    }

    @Test("pending audit events of several devices are shown newest first")
    func pendingEvents() {
        func event(_ sequence: Int, at second: Double) -> DeviceAuditEvent {
            DeviceAuditEvent(
                sequence: sequence, at: Date(timeIntervalSince1970: second), action: .signedIn, actor: .user,
                provider: nil, link: nil, device: nil, target: nil, isNewDevice: nil)
        }
        let events = AuditAccount.newestFirst([
            [event(1, at: 10), event(2, at: 40), event(3, at: 40)], [event(4, at: 20)], [event(5, at: 50)],
        ])
        #expect(events.map(\.sequence) == [5, 3, 2, 4, 1])
    }
}
