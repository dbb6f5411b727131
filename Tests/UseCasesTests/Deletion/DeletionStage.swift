import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// A stage of a deletion that another operation races with.
enum DeletionStage: String, CaseIterable, Sendable {
    /// The request that schedules a deletion. It cannot be undone here: the erasure is due as early as possible.
    case scheduling
    case undoing
    /// The first run of the job when the deletion is due.
    case erasing
    /// A later run of the job, which finds an object that arrived after the first one.
    case erasingAgain
    /// The run of the job that finds nothing, writes the receipt and removes the account.
    case completing

    /// Whether the account is a tombstone before the stage.
    private var isLate: Bool { self == .erasingAgain || self == .completing }

    func perform(_ service: TestService, _ held: RacingOperation.Held) async throws {
        switch self {
        case .scheduling:
            _ = try await service.services.deletion.schedule(.init(confirmation: "DELETE"), caller: held.caller)
        case .undoing: _ = try await service.services.deletion.cancel(held.caller)
        case .erasing, .erasingAgain, .completing: try await service.services.accountErasure.eraseDueAccounts()
        }
    }

    /// Returns the state before the stage, prepared once.
    var prepared: Task<(fixture: DeletionFixture, held: RacingOperation.Held), any Error> {
        switch self {
        case .scheduling: Self.beforeScheduling
        case .undoing: Self.beforeUndoing
        case .erasing: Self.beforeErasing
        case .erasingAgain: Self.beforeErasingAgain
        case .completing: Self.beforeCompleting
        }
    }

    private static let beforeScheduling = Task { try await prepare(.scheduling) }
    private static let beforeUndoing = Task { try await prepare(.undoing) }
    private static let beforeErasing = Task { try await prepare(.erasing) }
    private static let beforeErasingAgain = Task { try await prepare(.erasingAgain) }
    private static let beforeCompleting = Task { try await prepare(.completing) }

    private static func prepare(
        _ stage: DeletionStage
    ) async throws -> (fixture: DeletionFixture, held: RacingOperation.Held) {
        let fixture = try await DeletionFixture { if stage == .scheduling { $0.deletionUndoPeriod = 0 } }
        let service = fixture.service
        var undoCode = ""
        if stage != .scheduling { undoCode = try await fixture.schedule().undoCode ?? "" }
        let isDue = stage == .erasing || stage.isLate
        if isDue { fixture.clock.advance(by: 14 * 86_400 - 60) }
        let session = try await service.signIn(.google, "canary-google", device: 2).session
        try await fixture.services.eventDelivery.deliverEvents()
        // The fixture's content is no list of reservations.
        try await fixture.memory.delete(ObjectKey(known: StorageLayout.reservations(fixture.user)), if: .always)
        if isDue { fixture.clock.advance(by: 60) }
        let purchase = TestPurchase(TestAppStore.premium, id: "1000", at: fixture.clock.now, for: fixture.user)
        let other = TestPurchase(TestAppStore.basic, id: "2000", at: fixture.clock.now, for: fixture.user)
        let friend = try await service.caller(try await service.signUp(.google, "friend", device: 4).session)
        let friends = TestPurchase(
            TestAppStore.basic, id: "4000", at: fixture.clock.now, for: friend.user)
        _ = try await service.services.subscriptions.bindPurchase(
            .init(signedTransaction: try fixture.appStore.transaction(friends)), caller: friend)
        var friendsRenewal = friends.renewed(id: "4001")
        friendsRenewal.accountToken = fixture.user
        let own = TestPurchase(TestAppStore.basic, id: "3000", at: fixture.clock.now, for: fixture.user)
        func notification(_ type: String, _ purchase: TestPurchase) throws -> [UInt8] {
            try fixture.appStore.notification(type, id: UUID(), transaction: fixture.appStore.transaction(purchase))
        }
        let held = RacingOperation.Held(
            session: session, caller: try await service.caller(session), undoCode: undoCode,
            renewal: try notification("DID_RENEW", purchase.renewed(id: "1001")),
            newSubscription: try notification("SUBSCRIBED", other),
            otherRenewal: try notification("DID_RENEW", friendsRenewal), purchase: try fixture.appStore.transaction(own)
        )
        if stage.isLate { try await eraseOnce(fixture, leavingObject: stage == .erasingAgain) }
        return (fixture, held)
    }

    /// Runs the job up to the second round.
    private static func eraseOnce(_ fixture: DeletionFixture, leavingObject: Bool) async throws {
        for _ in 0..<10 {
            if try await fixture.accounts.deletions.record(fixture.user)?.value.progress?.round == 2 { break }
            try await fixture.services.accountErasure.eraseDueAccounts()
            try await fixture.services.eventDelivery.deliverEvents()
            fixture.clock.advance(by: 3600)
        }
        #expect(try await fixture.accounts.deletions.record(fixture.user)?.value.progress?.round == 2)
        guard leavingObject else { return }
        let late = ObjectKey(known: StorageLayout.photo(fixture.user, md5: String(repeating: "e", count: 32)))
        _ = try await fixture.memory.put(late, ByteBuffer(string: "canary-content"), if: .always)
    }
}
