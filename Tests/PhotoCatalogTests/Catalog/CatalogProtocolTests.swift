import Foundation
import ObjectStorage
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog

/// The catalog commit under every fault, in every order with another device's commit, and in seeded schedules: no photo
/// of an acknowledged commit is missing from the catalog.
@Suite struct CatalogProtocolTests {
    /// The state of the store before the commit.
    enum Start: CaseIterable {
        case empty, library, damaged
    }

    /// The state of the store, and whether the device commits without reading the catalog.
    struct Begin: Sendable, CaseIterable {
        let start: Start
        let isBlind: Bool

        static let allCases = Start.allCases.flatMap { start in
            [false, true].map { Begin(start: start, isBlind: $0) }
        }
    }

    private static func begin(_ start: Start) async throws -> MemoryObjectStore {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        guard start != .empty else { return store }
        try await SharedLibrary(store: store).commit([SharedLibrary.before])
        if start == .damaged { try await SharedLibrary(store: store).damagePointer() }
        return store
    }

    @Test(
        "a fault at any request of a commit loses no photo, and a second commit succeeds",
        arguments: Begin.allCases, FaultyObjectStore.Fault.allCases)
    func everyRequest(begin: Begin, fault: FaultyObjectStore.Fault) async throws {
        var call = 0
        while try await hitsFault(fault, at: call, begin.start, isBlind: begin.isBlind) { call += 1 }
        #expect(call > 0)
    }

    /// - Returns: Whether the operation reached the chosen request.
    private func hitsFault(
        _ fault: FaultyObjectStore.Fault, at call: Int, _ start: Start, isBlind: Bool
    ) async throws -> Bool {
        let store = try await Self.begin(start)
        let faulty = FaultyObjectStore(store)
        let (device, whole) = (SharedLibrary(store: faulty, isBlind: isBlind), SharedLibrary(store: store))
        let changes = SharedLibrary.changes(device: 1, round: 0)
        faulty.arm(fault, at: call)
        var isAcknowledged = false
        do {
            if start == .damaged { try await device.repair() }
            try await device.commit(changes)
            isAcknowledged = true
        } catch {
            let mayFail = faulty.faultedRequest == .read || [.unavailable, .stopBefore, .stopAfter].contains(fault)
            #expect(mayFail || start == .damaged, "a write was not tried again at request \(call): \(error)")
        }
        await faulty.applyLateChange()
        if !isAcknowledged, start == .damaged { try await whole.repair() }
        let between = try await whole.catalog()
        #expect(start == .empty || between.holds(SharedLibrary.before), "request \(call)")
        #expect(!isAcknowledged || changes.allSatisfy(between.holds), "request \(call)")
        try await whole.commit(changes)
        let catalog = try await whole.catalog()
        #expect(changes.allSatisfy(catalog.holds), "request \(call)")
        #expect(catalog.count == (start == .empty ? 2 : 3), "request \(call)")
        return faulty.faultedRequest != .nothing
    }

    @Test(
        "a commit or repair by another device during a commit loses no photo",
        arguments: Begin.allCases, [false, true])
    func everyMoment(begin: Begin, isRepair: Bool) async throws {
        var call = 0
        while try await interrupts(call, begin.start, isRepair, isBlind: begin.isBlind) { call += 1 }
        #expect(call > 0)
    }

    private func interrupts(_ call: Int, _ start: Start, _ isRepair: Bool, isBlind: Bool) async throws -> Bool {
        let store = try await Self.begin(start)
        let interrupted = InterruptedObjectStore(store)
        let first = SharedLibrary(store: interrupted, isBlind: isBlind)
        let second = SharedLibrary(store: store, isBlind: isBlind)
        let (mine, theirs) = (SharedLibrary.changes(device: 1, round: 0), SharedLibrary.changes(device: 2, round: 0))
        interrupted.interrupt(before: call) {
            try? await second.repair()
            if !isRepair { try? await second.commit(theirs) }
        }
        if start == .damaged { try? await first.repair() }
        try await first.commit(mine)
        guard !interrupted.isWaiting else { return false }
        let catalog = try await second.catalog()
        #expect(mine.allSatisfy(catalog.holds) && (isRepair || theirs.allSatisfy(catalog.holds)), "request \(call)")
        #expect(start == .empty || catalog.holds(SharedLibrary.before), "request \(call)")
        return true
    }

    @Test("concurrent commits of three devices and a repair with random faults lose no acknowledged photo")
    func schedules() async throws {
        try await SimulationSeeds(1000).forEach { seed in try await Self.run(seed) }
    }

    private static func run(_ seed: UInt64) async throws {
        let store = try await begin(seed % 2 == 0 ? .library : .empty)
        let simulation = Simulation(seed: seed, faultsInHundred: seed % 3 == 0 ? 0 : 6)
        let acknowledged = Mutex<[Int: Int]>([:])
        var actors: [@Sendable () async -> Void] = []
        for device in 1...(seed % 5 == 0 ? 2 : 3) {
            let library = SharedLibrary(
                store: simulation.view(of: store, actor: device), device: DeviceTag(value: UInt32(device)),
                isBlind: seed % 7 < 3 + device % 2)
            actors.append {
                try? await library.commitRounds(device: device, count: 3) { round in
                    acknowledged.withLock { $0[device] = round }
                }
            }
        }
        let repairing = SharedLibrary(store: simulation.view(of: store, actor: 0))
        if seed % 4 == 1 { actors.append { try? await repairing.repair() } }
        let outcome = simulation.run(actors)
        let told = acknowledged.withLock { $0 }
        let trace = "PHOTOLALA_SEED=\(seed)\nacknowledged rounds: \(told)\n\(outcome.trace)"
        #expect(outcome.stuck == 0, "\(trace)")
        do {
            let catalog = try await SharedLibrary(store: store).catalog()
            #expect(seed % 2 == 1 || catalog.holds(SharedLibrary.before), "\(trace)")
            for (device, round) in told { check(catalog, device, round, trace) }
        } catch {
            Issue.record("\(error)\n\(trace)")
        }
    }

    /// Checks that all photos of a device up to its last acknowledged round exist, and that the shared path has its
    /// last photo or a later one of the same device.
    private static func check(_ catalog: Catalog, _ device: Int, _ round: Int, _ trace: String) {
        for known in 0...round {
            #expect(catalog.holds(SharedLibrary.changes(device: device, round: known)[0]), "\(trace)")
        }
        let shared = (round..<3).map { SharedLibrary.changes(device: device, round: $0)[1] }
        #expect(shared.contains(where: catalog.holds), "\(trace)")
    }
}
