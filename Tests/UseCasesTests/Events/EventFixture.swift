import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import UseCases

/// A service whose operator receives events.
struct EventFixture: Sendable {
    let store: MemoryObjectStore
    let clock: TestClock
    let receiver: RecordingEventReceiver
    let service: TestService

    static func make() async throws -> EventFixture {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let receiver = RecordingEventReceiver()
        let service = try await makeInstance(1, store, clock, receiver)
        return EventFixture(store: store, clock: clock, receiver: receiver, service: service)
    }

    /// Creates an instance of the service.
    /// - Parameter receiver: `nil` for an instance without event delivery.
    static func makeInstance(
        _ seed: UInt64, _ store: any ObjectStore, _ clock: TestClock, _ receiver: RecordingEventReceiver?
    ) async throws -> TestService {
        var options = TestService.Options()
        options.seed = seed
        options.attempts = 6
        options.hasPlainTokens = true
        options.allowsContinue = true
        options.eventReceiver = receiver
        return try await .make(options, store: store, clock: clock)
    }

    func makeInstance(_ seed: UInt64, on other: (any ObjectStore)? = nil) async throws -> TestService {
        try await Self.makeInstance(seed, other ?? store, clock, receiver)
    }

    /// Delivers events that their instance has not sent within its minute.
    func deliver() async throws {
        clock.advance(by: 61)
        try await service.services.eventDelivery.deliverEvents()
    }

    /// Returns the event types received for an account, at their first occurrence.
    func types(_ user: UserID) -> [String] { receiver.firstEvents(of: user).map(\.type.rawValue) }

    /// Returns the delivery object of an account.
    func delivery(_ user: UserID) async throws -> EventDelivery? {
        try await service.components.accounts.outbox?.delivery(ObjectKey(known: StorageLayout.eventDelivery(user)))
    }
}
