import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Synchronization
import Testing

@Suite struct PurchaseTests {
    private static let path = "/subscriptions/app-store"

    @Test func `a purchase names the account and is finished once the server has it`() async throws {
        try await Self.with(FakeServer.json(Subscription(tier: .free, storageLimit: 1))) { session, sheet, fixture in
            let subscription = try await session.purchase(sheet)
            #expect(subscription != nil)
            #expect(sheet.accounts == [ClientFixture.user.uuid])
            #expect(fixture.server.requests(Self.path).map(\.text) == [#"{"signedTransaction":"jws"}"#])
            #expect(sheet.finished == 1)
        }
    }

    @Test func `a purchase that the server did not accept is not finished, so StoreKit delivers it again`() async throws
    {
        try await Self.with(FakeServer.problem(.temporarilyUnavailable, 503)) { session, sheet, _ in
            await expect(.temporarilyUnavailable) { try await session.purchase(sheet) }
            #expect(sheet.finished == 0)
        }
    }

    @Test func `a cancelled purchase is nothing`() async throws {
        try await Self.with(FakeServer.lost, isCancelled: true) { session, sheet, fixture in
            let subscription = try await session.purchase(sheet)
            #expect(subscription == nil)
            #expect(fixture.server.requests(Self.path).isEmpty)
        }
    }

    @Test func `a purchase needs an account`() async throws {
        try await ClientFixture.with { fixture in
            let sheet = FakeSheet(isCancelled: false)
            await expect(.notSignedIn) { try await fixture.session().purchase(sheet) }
            #expect(sheet.accounts.isEmpty)
        }
    }

    private static func with(
        _ answer: @escaping FakeServer.Response, isCancelled: Bool = false,
        _ test: (PhotolalaSession, FakeSheet, ClientFixture) async throws -> Void
    ) async throws {
        try await ClientFixture.with([
            "POST /auth/signin": [ClientFixture.signedInAnswer()], "POST \(path)": [answer],
        ]) { try await test(try await $0.signedIn(), FakeSheet(isCancelled: isCancelled), $0) }
    }
}

private final class FakeSheet: PurchaseSheet {
    private let isCancelled: Bool
    private let buyers = Mutex<[UUID]>([])
    private let count = Mutex(0)

    init(isCancelled: Bool) { self.isCancelled = isCancelled }

    var accounts: [UUID] { buyers.withLock { $0 } }
    var finished: Int { count.withLock { $0 } }

    func buy(for account: UUID) async throws(PhotolalaError) -> SignedPurchase? {
        buyers.withLock { $0.append(account) }
        guard !isCancelled else { return nil }
        return SignedPurchase(signedTransaction: "jws") { self.count.withLock { $0 += 1 } }
    }
}
