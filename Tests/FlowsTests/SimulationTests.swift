import Flows
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing

/// Two and three actors at once, in orders and with faults that seeds decide.
///
/// `PHOTOLALA_SEEDS=100000 swift test --filter SimulationTests` runs more of them; `PHOTOLALA_SEED=17` runs one again.
@Suite struct SimulationTests {
    private static let seeds: Range<UInt64> = {
        let environment = ProcessInfo.processInfo.environment
        if let one = environment["PHOTOLALA_SEED"].flatMap(UInt64.init) { return one..<one + 1 }
        return 0..<(environment["PHOTOLALA_SEEDS"].flatMap(UInt64.init) ?? 1000)
    }()

    /// Signing one takes a while; the clock begins at the same time in every run.
    private static let tokens = Mutex<[ProviderName: String]>([:])

    @Test("Whatever three actors do at once, with whatever faults, no account, identity or acknowledged act is lost")
    func schedules() async throws {
        let world = try await SimulatedAct.prepare()
        for seed in Self.seeds { try await run(seed, world) }
    }

    @Test("The same seed gives the same run")
    func replay() async throws {
        let world = try await SimulatedAct.prepare()
        for seed in UInt64(0)..<5 {
            let first = try await run(seed, world)
            #expect(try await run(seed, world) == first && !first.isEmpty)
        }
    }

    @discardableResult
    private func run(_ seed: UInt64, _ world: SimulatedAct.World) async throws -> [String] {
        let clock = TestClock()
        let store = world.store.copy { clock.now }
        let simulation = Simulation(seed: seed, faultsInHundred: seed % 3 == 0 ? 0 : 6)
        let acts = Self.acts(seed)
        let told = Mutex<[Int: FlowError?]>([:])
        var actors: [@Sendable () async -> Void] = []
        for (number, act) in acts.enumerated() {
            let service = try await copy(UInt64(number + 2), simulation.view(of: store, actor: number), clock)
            actors.append {
                let error = await FlowError.told { try await act.run(service, world, device: 10 + number) }
                told.withLock { $0[number] = .some(error) }
            }
        }
        let outcome = simulation.run(actors)
        let run = Run(seed: seed, acts: acts, told: told.withLock { $0 }, trace: outcome.trace, before: world.history)
        #expect(outcome.stuck == 0, "\(run)")
        try await run.check(try await copy(9, store, clock), world)
        return outcome.trace
    }

    /// Two or three acts; each seed has its own.
    private static func acts(_ seed: UInt64) -> [SimulatedAct] {
        let bytes = Randomness.seeded(seed &+ 1_000_000).bytes(4)
        return bytes.prefix(bytes[3] % 4 == 0 ? 2 : 3).map { byte in
            SimulatedAct.allCases[Int(byte) % SimulatedAct.allCases.count]
        }
    }

    /// A copy of the service. What it reads only once, the signing and the providers' keys, it reads here.
    private func copy(
        _ seed: UInt64, _ store: any ObjectStore, _ clock: TestClock
    ) async throws -> TestService {
        var options = TestService.Options()
        options.seed = seed
        options.attempts = 6
        let service = try await TestService.make(options, store: store, clock: clock)
        for (provider, verifier) in service.services.verifiers {
            let token = try Self.tokens.withLock { tokens in
                let token = try tokens[provider] ?? service.token(provider, "nobody")
                tokens[provider] = token
                return token
            }
            _ = try await verifier.verify(token)
        }
        return service
    }

    /// One run, for whoever has to find out what went wrong.
    struct Run: CustomStringConvertible {
        let seed: UInt64
        let acts: [SimulatedAct]
        let told: [Int: FlowError?]
        let trace: [String]
        /// The acts in the histories before.
        let before: [AuditAct: Int]

        var description: String {
            let outcomes = acts.enumerated().map { number, act in
                "\(number) \(act.rawValue): \(told[number].map { $0.map { "\($0)" } ?? "done" } ?? "no end")"
            }
            return "PHOTOLALA_SEED=\(seed)\n\(outcomes.joined(separator: "\n"))\n\(trace.joined(separator: "\n"))"
        }

        private func isDone(_ act: SimulatedAct) -> Bool {
            acts.indices.contains { acts[$0] == act && told[$0] == .some(nil) }
        }

        private func has(_ others: SimulatedAct...) -> Bool { acts.contains { others.contains($0) } }

        /// The rules of every store, then what these acts must and must not have done.
        func check(_ service: TestService, _ world: SimulatedAct.World) async throws {
            for case .internal(let reason)?? in told.values { Issue.record("\(reason) in \(self)") }
            do {
                try await StoreRules(service: service).check()
                try await checkHistory(service)
                try await checkSessions(service, world)
                try await checkIdentities(service, world)
                try await StoreRules(service: service).checkRepaired()
            } catch {
                Issue.record("\(error) in \(self)")
            }
        }

        /// Each acknowledged act is in a history, and none more often than it was asked for.
        private func checkHistory(_ service: TestService) async throws {
            let counts = try await HistoryRules(service: service).counts()
            for act in Set(SimulatedAct.allCases.compactMap(\.notes)) {
                let tries = acts.indices.filter { acts[$0].notes == act }
                let done = tries.filter { told[$0] == .some(nil) }
                let added = (counts[act] ?? 0) - (before[act] ?? 0)
                // Linking what is linked already is no act.
                let sure = act == .providerLinked ? [] : done
                let least = sure.first.map { acts[$0].notesEach } == true ? sure.count : min(1, sure.count)
                #expect((least...max(least, tries.count)).contains(added), "\(act) \(added) times: \(self)")
            }
        }

        private func checkIdentities(_ service: TestService, _ world: SimulatedAct.World) async throws {
            let apple = try await service.owner(.apple, "bob", device: 80)
            let google = try await service.owner(.google, "bob", device: 81)
            #expect(apple == world.bob || google == world.bob, "Bob has no way in: \(self)")
            if !has(.unlinkApple) { #expect(apple == world.bob, "\(self)") }
            if isDone(.unlinkApple) { #expect(apple == nil, "\(self)") }
            if !has(.unlinkGoogle, .unlinkGoogleOnTablet) { #expect(google == world.bob, "\(self)") }
            if isDone(.unlinkGoogle) || isDone(.unlinkGoogleOnTablet),
                !has(.linkGoogle, .eveLinksGoogle, .signUpGoogle)
            {
                #expect(google == nil, "\(self)")
            }
            if isDone(.eveLinksGoogle) { #expect(google == world.eve.user.serviceUserID, "\(self)") }
            let eve = try await service.owner(.apple, "eve", device: 82)
            #expect(eve == world.eve.user.serviceUserID, "\(self)")
        }

        private func checkSessions(_ service: TestService, _ world: SimulatedAct.World) async throws {
            let phone = world.phone.session
            if isDone(.signOut) || isDone(.signOutEverywhere) {
                #expect((try? await service.caller(phone)) == nil, "\(self)")
            } else if !has(.signOut, .signOutEverywhere) {
                // Whoever lost an answer refreshes again and goes on.
                let again = try await service.services.refresh(RefreshRequest(refreshToken: phone.refreshToken)).session
                let next = try await service.services.refresh(RefreshRequest(refreshToken: again.refreshToken)).session
                #expect(try await service.caller(next).user == world.bob, "\(self)")
            }
            if isDone(.removeTablet) || (isDone(.unlinkGoogle) && !has(.unlinkGoogleOnTablet)) {
                #expect((try? await service.caller(world.tablet.session)) == nil, "\(self)")
            } else if isDone(.unlinkGoogleOnTablet), !has(.signOutEverywhere, .removeTablet, .unlinkGoogle) {
                #expect((try? await service.caller(world.tablet.session)) != nil, "\(self)")
            }
        }
    }
}
