import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@Suite("The history of the account") struct HistoryTests {
    @Test("a page is requested by limit and start position")
    func pages() async throws {
        let page = AuditPage(
            entries: [AuditRecord(sequence: 9, at: ClientFixture.start, act: .signedOutEverywhere, actor: .user)],
            next: 9
        )
        let last = AuditPage(entries: [], next: nil)
        let path = "GET /users/\(ClientFixture.user)/audit"
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "\(path)?limit=1": [FakeServer.json(page)],
            "\(path)?before=9&limit=50": [FakeServer.json(last)],
        ]) { fixture in
            let session = try await fixture.signedIn()
            let first = try await session.history(limit: 1)
            #expect(first == page)
            let second = try await session.history(before: first.next)
            #expect(second == last)
        }
    }
}
