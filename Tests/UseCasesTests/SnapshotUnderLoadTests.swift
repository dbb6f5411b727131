import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing
import UseCases

/// Snapshots of a store that changes concurrently, recovered and repaired.
@Suite struct SnapshotUnderLoadTests {
    /// The acts of people while a snapshot is taken.
    enum Operation: String, CaseIterable, Sendable {
        case signUp, link, unlink, relink, moveToEve, moveToNewAccount, swapApple, signOutEverywhere, removeTablet
        /// The events pending in the phone's record are flushed into the chain immediately.
        case proveAndSignOutEverywhere

        func run(_ fixture: SnapshotFixture, _ people: People) async throws {
            let service = fixture.service
            switch self {
            case .signUp: _ = try await service.signUp(.apple, "dora", device: 20)
            case .link: _ = try await service.link(.google, "eve", in: people.eve.session)
            case .unlink: try await service.unlink(.google, in: people.phone.session)
            case .relink:
                try await service.unlink(.google, in: people.phone.session)
                _ = try await service.link(.google, "bob", in: people.phone.session)
            case .moveToEve:
                try await service.unlink(.google, in: people.phone.session)
                _ = try await service.link(.google, "bob", in: people.eve.session)
            case .moveToNewAccount:
                try await service.unlink(.google, in: people.phone.session)
                _ = try await service.signUp(.google, "bob", device: 21)
            case .swapApple:
                try await service.unlink(.apple, in: people.phone.session)
                _ = try await service.link(.apple, "bob2", in: people.phone.session)
            case .signOutEverywhere:
                try await service.services.sessions.signOutEverywhere(try await service.caller(people.phone.session))
            case .proveAndSignOutEverywhere:
                _ = try await service.reauthenticate(.apple, "bob", in: people.phone.session)
                try await Operation.signOutEverywhere.run(fixture, people)
            case .removeTablet:
                try await service.services.devices.removeDevice(
                    people.tablet.session.deviceID, caller: try await service.caller(people.phone.session))
            }
        }
    }

    struct People: Sendable {
        let phone: SignedIn
        let tablet: SignedIn
        let eve: SignedIn
    }

    private func people(_ service: TestService) async throws -> People {
        let phone = try await service.bobWithTwo()
        let tablet = try await service.signIn(.google, "bob", device: 2)
        return People(phone: phone, tablet: tablet, eve: try await service.signUp(.apple, "eve", device: 9))
    }

    @Test("an act at any moment during a snapshot leaves the recovered store consistent", arguments: Operation.allCases)
    func everyMoment(act: Operation) async throws {
        var call = 0
        while try await run(act, before: call) { call += 1 }
        #expect(call > 15)
    }

    /// - Returns: whether the snapshot reached the chosen request.
    private func run(_ act: Operation, before call: Int) async throws -> Bool {
        let fixture = try await SnapshotFixture.make()
        let people = try await people(fixture.service)
        let interrupted = InterruptedObjectStore(fixture.store)
        interrupted.interrupt(before: call) {
            do {
                try await act.run(fixture, people)
            } catch {
                Issue.record("\(act): \(error)")
            }
        }
        let file = try await fixture.snapshot(of: interrupted)
        guard !interrupted.isWaiting else { return false }
        let target = emptyStore()
        try await fixture.recover(file, into: target)
        let restored = try await fixture.makeInstance(on: target)
        try await check(restored, people, mayLose: act == .swapApple ? [.apple] : [], "\(act) before request \(call)")
        return true
    }

    /// Checks that the store is consistent and that all people from before the snapshot are found.
    private func check(
        _ service: TestService, _ people: People, mayLose: Set<ProviderName>, _ circumstances: String
    ) async throws {
        try await StoreRules(service: service).checkRepaired()
        try await StoreRules(service: service).check()
        let bob = people.phone.user.serviceUserID
        let apple = try await service.owner(.apple, "bob", device: 80)
        let google = try await service.owner(.google, "bob", device: 81)
        #expect(apple == bob || google == bob, "Bob has no way in: \(circumstances)")
        if !mayLose.contains(.apple) { #expect(apple == bob, "\(circumstances)") }
        let eve = try await service.owner(.apple, "eve", device: 82)
        #expect(eve == people.eve.user.serviceUserID, "\(circumstances)")
        for session in [people.phone.session, people.tablet.session, people.eve.session] {
            await #expect(throws: ServiceError.sessionEnded, "\(circumstances)") {
                try await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken))
            }
        }
    }

    @Test("any order of two people's acts during a snapshot leaves the recovered store consistent")
    func schedules() async throws {
        let fixture = try await SimulatedOperation.prepare()
        for seed in UInt64(0)..<150 { try await run(seed, fixture) }
    }

    /// Excludes re-keyings: a snapshot contains the store manifest from its beginning.
    private static let operations = SimulatedOperation.allCases.filter { $0 != .migrate && $0 != .migrateAndUndo }

    private func run(_ seed: UInt64, _ fixture: SimulatedOperation.Fixture) async throws {
        let clock = TestClock()
        let store = fixture.store.copy { clock.now }
        let simulation = Simulation(seed: seed, faultsInHundred: seed % 3 == 0 ? 4 : 0)
        let bytes = Randomness.seeded(seed &+ 7_000_000).bytes(2)
        let operations = bytes.map { Self.operations[Int($0) % Self.operations.count] }
        var actors: [@Sendable () async -> Void] = []
        for (number, act) in operations.enumerated() {
            let service = try await makeInstance(UInt64(number + 2), simulation.view(of: store, actor: number), clock)
            actors.append { try? await act.run(service, fixture, device: 10 + number) }
        }
        let snapshots = SnapshotFixture(
            service: try await makeInstance(8, store, clock), store: simulation.view(of: store, actor: operations.count)
        )
        _ = try await SnapshotFixture.manifest(store, snapshots.service)
        let file = Mutex<Data?>(nil)
        actors.append {
            let taken = try? await snapshots.snapshot()
            file.withLock { $0 = taken }
        }
        let outcome = simulation.run(actors)
        #expect(outcome.stuck == 0)
        guard let file = file.withLock({ $0 }) else { return #expect(seed % 3 == 0, "no snapshot without a fault") }
        let target = MemoryObjectStore { clock.now }
        try await snapshots.recover(file, into: target)
        let circumstances = "seed \(seed): \(operations)\n\(outcome.trace)"
        let people = People(phone: fixture.phone, tablet: fixture.tablet, eve: fixture.eve)
        try await check(
            try await makeInstance(9, target, clock), people,
            mayLose: operations.contains(.unlinkApple) ? [.apple] : [],
            circumstances)
    }

    private func makeInstance(_ seed: UInt64, _ store: any ObjectStore, _ clock: TestClock) async throws -> TestService
    {
        var options = TestService.Options()
        options.seed = seed
        options.attempts = 6
        let service = try await TestService.make(options, store: store, clock: clock)
        // Objects that are read only once are read before the simulation begins.
        for (provider, verifier) in service.providers.verifiers {
            _ = try await verifier.verify(try service.token(provider, "unknown"))
        }
        return service
    }
}
