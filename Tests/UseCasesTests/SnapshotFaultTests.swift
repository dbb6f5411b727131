import AccountMaintenance
import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Recovery of a snapshot into a store, with every fault at every request.
@Suite struct SnapshotFaultTests {
    /// The expected result of every run.
    private struct Goal {
        let fixture: SnapshotFixture
        let file: Data
        let contents: [String: String]
    }

    /// Returns a snapshot with an identity that moved while it was taken, so that recovery has to reconcile it.
    private func goal() async throws -> Goal {
        let fixture = try await SnapshotFixture.make()
        let bob = try await fixture.service.bobWithTwo()
        let eve = try await fixture.service.signUp(.apple, "eve", device: 9)
        let interrupted = InterruptedObjectStore(fixture.store)
        // After the identity bindings, which are read with the second listing, and before the accounts.
        interrupted.interrupt(before: 7) {
            try? await fixture.service.unlink(.google, in: bob.session)
            _ = try? await fixture.service.link(.google, "bob", in: eve.session)
        }
        let file = try await fixture.snapshot(of: interrupted)
        let target = emptyStore()
        try await fixture.recover(file, into: target)
        return Goal(fixture: fixture, file: file, contents: try await target.contents())
    }

    @Test(
        "a repeated recovery completes the same store after any fault at any request",
        arguments: FaultyObjectStore.Fault.allCases)
    func everyRequest(fault: FaultyObjectStore.Fault) async throws {
        let goal = try await goal()
        var call = 0
        while try await run(goal, fault, at: call) { call += 1 }
        #expect(call > goal.contents.count)
    }

    /// - Returns: whether the chosen request was reached.
    private func run(_ goal: Goal, _ fault: FaultyObjectStore.Fault, at call: Int) async throws -> Bool {
        let target = emptyStore()
        let faulty = FaultyObjectStore(target)
        faulty.arm(fault, at: call)
        let first = await outcome(goal, faulty)
        await faulty.applyLateChange()
        let marker = ObjectKey(known: StorageLayout.recovery)
        if first == nil {
            #expect(try await target.contents() == goal.contents, "\(fault) at request \(call)")
        } else if try await target.head(marker) != nil {
            await #expect(throws: StoreManifestError.recoveryInProgress) {
                try await SnapshotFixture.manifest(target, goal.fixture.service)
            }
        }
        // A recovery that had completed without knowing it finds the store occupied.
        let second = await outcome(goal, target)
        #expect(second == nil || second == .storeNotEmpty(StorageLayout.storeManifest), "\(fault) at request \(call)")
        #expect(try await target.contents() == goal.contents, "\(fault) at request \(call)")
        _ = try await SnapshotFixture.manifest(target, goal.fixture.service)
        return faulty.faultedRequest != .nothing
    }

    private func outcome(_ goal: Goal, _ target: any ObjectStore) async -> SnapshotError? {
        do {
            try await goal.fixture.recover(goal.file, into: target)
            return nil
        } catch {
            return error
        }
    }

    @Test("a partly recovered store accepts only the same snapshot")
    func otherRecovery() async throws {
        let goal = try await goal()
        let target = emptyStore()
        let faulty = FaultyObjectStore(target)
        faulty.arm(.stopBefore, at: 9)
        await #expect(throws: SnapshotError.store(.unavailable("stopped"))) {
            try await goal.fixture.recover(goal.file, into: faulty)
        }
        let before = try await target.contents()
        let other = try await goal.fixture.snapshot()
        await #expect(throws: SnapshotError.anotherRecoveryUnfinished) {
            try await goal.fixture.recover(other, into: target)
        }
        #expect(try await target.contents() == before)
    }

    @Test("a snapshot fails if the store fails")
    func failingStore() async throws {
        let goal = try await goal()
        var call = 0
        while true {
            let faulty = FaultyObjectStore(goal.fixture.store)
            faulty.arm(.unavailable, at: call)
            do {
                _ = try await goal.fixture.snapshot(of: faulty)
                break
            } catch {
                #expect(error as? SnapshotError == .store(.unavailable("at this request")))
            }
            call += 1
        }
        #expect(call > 10)
    }
}
