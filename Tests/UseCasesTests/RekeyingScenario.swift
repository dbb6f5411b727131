import AccountMaintenance
import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// A step of a re-keying from plain to hashed subjects.
enum RekeyingStep: CaseIterable, Sendable {
    case apply, confirm, undo

    /// Performs the steps before this one.
    func prepare(_ service: TestService) async throws {
        if self != .apply { _ = try await service.rekeying().apply(to: .hashed) }
    }

    func run(_ service: TestService) async throws { try await run(service.rekeying()) }

    func run(_ migration: IdentityRekeying) async throws {
        switch self {
        case .apply: _ = try await migration.apply(to: .hashed)
        case .confirm: _ = try await migration.confirm()
        case .undo: _ = try await migration.undo()
        }
    }

    /// - Returns: `false` if a finding or another act prevented the confirmation.
    private static func confirms(_ service: TestService) async throws(RekeyingError) -> Bool {
        do {
            _ = try await service.rekeying().confirm()
            return true
        } catch {
            guard case .incomplete = error else { throw error }
            return false
        }
    }

    /// Runs the re-keying in progress to its end, whatever state it is in.
    /// - Parameter isConfirmed: whether a re-keying that can still be confirmed or undone is confirmed.
    static func end(_ service: TestService, isConfirmed: Bool) async throws {
        guard let phase = try await service.rekeying().status()?.phase else { return }
        if phase == .undone || (phase == .both && !isConfirmed) {
            _ = try await service.rekeying().undo()
        } else if try await !confirms(service) {
            // Repair completes a half-done act when it is old enough, as the operator is informed.
            for _ in 0..<2 {
                service.clock.advance(by: 7200)
                _ = try await Repair(service.components.accounts, isDryRun: false) { _ in }.run()
            }
            _ = try await service.rekeying().confirm()
        }
        let rest = try await service.rekeying().status()
        #expect(rest == nil)
    }
}

/// Bob with Apple and Google, and Eve with Apple, at a moment of a re-keying.
struct RekeyingMoment: Sendable {
    let before: FaultScenario.Before
    private let store: MemoryObjectStore
    private let time: Date

    /// - Parameter step: the next step.
    init(before step: RekeyingStep) async throws {
        let clock = TestClock()
        store = MemoryObjectStore { clock.now }
        let service = try await TestService.makeInstance(1, store, clock)
        before = FaultScenario.Before(
            try await service.bobWithTwo(), other: try await service.signUp(.apple, "eve", device: 9))
        try await step.prepare(service)
        time = clock.now
    }

    /// Returns a separate store and clock.
    func copy() -> (MemoryObjectStore, TestClock) {
        let clock = TestClock(time)
        return (store.copy { clock.now }, clock)
    }
}

extension TestService {
    /// Creates an instance of the service with its own view of a store.
    static func makeInstance(_ seed: UInt64, _ store: any ObjectStore, _ clock: TestClock) async throws -> TestService {
        var options = TestService.Options()
        options.seed = seed
        options.attempts = 6
        options.hasPlainTokens = true
        return try await .make(options, store: store, clock: clock)
    }

    /// Moves all identity bindings to hashed subjects and ends the re-keying. If another re-keying or a paused act
    /// blocks it, the error is reported and a later call can retry.
    func rekey(_ end: (IdentityRekeying) async throws(RekeyingError) -> RekeyingSummary) async throws {
        let migration = rekeying()
        do {
            _ = try await migration.apply(to: .hashed)
            _ = try await end(migration)
        } catch .account(.store(let error)) {
            throw ServiceError.unavailable("\(error)")
        } catch .account(let error) {
            throw ServiceError.internal("\(error)")
        } catch {
            throw ServiceError.unavailable("\(error)")
        }
    }

    /// Returns the user of an identity, `nil` for a free one; without a token, because signing one is slow.
    func user(_ provider: ProviderName, _ subject: String) async throws -> UserID? {
        let identity = VerifiedIdentity(provider: provider, subject: subject, issuedAt: clock.now)
        return try await components.accounts.find(identity)?.account.value.serviceUserID
    }

    /// Expects that an identity belongs to the given account, or to no account for `nil`.
    func expect(_ provider: ProviderName, _ subject: String, finds user: UserID?) async throws {
        let found = try await self.user(provider, subject)
        #expect(found == user)
    }
}
