import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing
import UseCases

/// Pending unlinks, requested, undone and carried out by three concurrent actors while one becomes due, in orders and
/// with faults determined by a seed.
@Suite struct DelayedUnlinkSimulationTests {
    private enum Operation: String, CaseIterable {
        case unlinkApple, unlinkGoogle, unlinkGoogleOnTablet, undoApple, undoGoogle, signInApple, signInGoogle
        case appleWithdraws, relinkApple, signOutEverywhere, dailyJob, repair, itBecomesDue
    }

    private struct Fixture {
        let store: MemoryObjectStore
        let now: Date
        let phone: Session
        let tablet: Session
        let user: UserID
    }

    private static func makeInstance(_ seed: UInt64, _ store: any ObjectStore, _ clock: TestClock) async throws
        -> TestService
    {
        var options = TestService.Options()
        options.seed = seed
        options.attempts = 6
        options.hasPlainTokens = true
        options.unlinkDelay = DelayedUnlink.day
        return try await .make(options, store: store, clock: clock)
    }

    private static func prepare() async throws -> Fixture {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let service = try await makeInstance(1, store, clock)
        let bob = try await service.bobWithTwo()
        // An identity newer than the delay may not reauthenticate.
        clock.advance(by: DelayedUnlink.day + 1)
        let signedIn = try await service.signIn(.google, "bob").session
        try await service.unlink(.apple, in: signedIn)
        clock.advance(by: DelayedUnlink.day - 10)
        let refresh = RefreshRequest(refreshToken: signedIn.refreshToken)
        let refreshed = try await service.services.sessions.refresh(refresh).session
        let phone = try await service.reauthenticate(.google, "bob", in: refreshed)
        let tablet = try await service.signIn(.google, "bob", device: 2).session
        return Fixture(store: store, now: clock.now, phone: phone, tablet: tablet, user: bob.user.serviceUserID)
    }

    private static func run(_ act: Operation, _ service: TestService, _ fixture: Fixture, device: Int) async throws {
        switch act {
        case .unlinkApple: try await service.unlink(.apple, in: fixture.phone)
        case .unlinkGoogle: try await service.unlink(.google, in: fixture.phone)
        case .unlinkGoogleOnTablet: try await service.unlink(.google, in: fixture.tablet)
        case .undoApple: try await service.undoUnlink(.apple, in: fixture.tablet)
        case .undoGoogle: try await service.undoUnlink(.google, in: fixture.phone)
        case .signInApple: _ = try await service.signIn(.apple, "bob", device: device)
        case .signInGoogle: _ = try await service.signIn(.google, "bob", device: device)
        case .appleWithdraws:
            let event = ProviderEvent(.consentRevoked, subject: "bob", at: service.clock.now)
            try await service.services.providerEvents.apply(event, of: .apple)
        case .relinkApple: _ = try await service.link(.apple, "bob", in: fixture.tablet)
        case .signOutEverywhere:
            try await service.services.sessions.signOutEverywhere(try await service.caller(fixture.phone))
        case .dailyJob: try await service.services.usageCount.countUsage()
        case .repair: try await service.repair()
        case .itBecomesDue: service.clock.advance(by: 20)
        }
    }

    private static func operations(_ seed: UInt64) -> [Operation] {
        // In half of the schedules the first request becomes due during two other acts.
        let bytes = Randomness.seeded(seed &+ 5_000_000).bytes(4)
        let some = bytes.prefix(3).map { Operation.allCases[Int($0) % Operation.allCases.count] }
        return bytes[3].isMultiple(of: 2) ? some : [.itBecomesDue, some[0], some[1]]
    }

    @Test("after any acts of three actors at least one identity opens the account, and a due unlink runs once")
    func schedules() async throws {
        let fixture = try await Self.prepare()
        try await SimulationSeeds(400).forEach { seed in try await Self.check(seed, Self.operations(seed), fixture) }
    }

    private static func check(_ seed: UInt64, _ operations: [Operation], _ fixture: Fixture) async throws {
        let clock = TestClock(fixture.now)
        let store = fixture.store.copy { clock.now }
        let simulation = Simulation(seed: seed, faultsInHundred: seed % 3 == 0 ? 0 : 6, leaping: nil)
        let errors = Mutex<[Int: ServiceError?]>([:])
        var actors: [@Sendable () async -> Void] = []
        for (number, act) in operations.enumerated() {
            let service = try await makeInstance(UInt64(number + 2), simulation.view(of: store, actor: number), clock)
            actors.append {
                let error = await ServiceError.caught { try await run(act, service, fixture, device: 10 + number) }
                errors.withLock { $0[number] = .some(error) }
            }
        }
        let outcome = simulation.run(actors)
        let told = errors.withLock { $0 }
        let name = "PHOTOLALA_SEED=\(seed) \(operations.map(\.rawValue)) \(told) \(outcome.trace)"
        #expect(outcome.stuck == 0, "\(name)")
        for case .internal(let reason)?? in told.values { Issue.record("\(reason) in \(name)") }
        let service = try await makeInstance(9, store, clock)
        try await StoreRules(service: service).check()
        let opening = try await openingIdentities(service, fixture.user)
        #expect(!opening.isEmpty, "no identity opens the account: \(name)")
        // A day later nothing is pending, and the remaining state is consistent.
        clock.advance(by: DelayedUnlink.day + 1)
        try await service.services.usageCount.countUsage()
        let account = try #require(try await service.components.accounts.account(fixture.user)).value
        #expect(account.links.allSatisfy { $0.pendingUnlink == nil }, "\(name)")
        #expect(try await !openingIdentities(service, fixture.user).isEmpty, "no identity opens the account: \(name)")
        try await StoreRules(service: service).checkRepaired()
    }

    /// Returns the identities that the account lists as active or revoked and that a lookup finds. It undoes nothing.
    private static func openingIdentities(_ service: TestService, _ user: UserID) async throws -> [ProviderName] {
        var found: [ProviderName] = []
        for provider in [ProviderName.apple, .google] {
            let owner = try await service.components.accounts.lookUp(provider, "bob")
            if owner?.account.value.serviceUserID == user { found.append(provider) }
        }
        return found
    }
}
