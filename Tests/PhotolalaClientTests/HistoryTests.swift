import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing

@Suite("The history of the account") struct HistoryTests {
    @Test("a page is requested by limit and start position")
    func pages() async throws {
        let page = AuditPage(
            entries: [AuditRecord(sequence: 9, at: World.start, act: .signedOutEverywhere, actor: .user)], next: 9
        )
        let last = AuditPage(entries: [], next: nil)
        let path = "GET /users/\(World.user)/audit"
        try await World.with([
            "POST /auth/signin": [World.signedInAnswer()], "\(path)?limit=1": [FakeServer.json(page)],
            "\(path)?before=9&limit=50": [FakeServer.json(last)],
        ]) { world in
            let session = try await world.signedIn()
            let first = try await session.history(limit: 1)
            #expect(first == page)
            let second = try await session.history(before: first.next)
            #expect(second == last)
        }
    }
}
