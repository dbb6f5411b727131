import AccountMaintenance
import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// A legacy import that stops, or has a fault, at each of its requests.
@Suite struct LegacyImportFaultTests {
    enum Step: CaseIterable {
        case apply, confirm, undo

        func run(_ migration: LegacyImport) async throws {
            switch self {
            case .apply: _ = try await migration.apply()
            case .confirm: _ = try await migration.confirm()
            case .undo: _ = try await migration.undo()
            }
        }
    }

    @Test(
        "the same call after a stop at any request, or another fault at every third, reaches the same result",
        arguments: Step.allCases, FaultyObjectStore.Fault.allCases)
    func everyRequest(step: Step, fault: FaultyObjectStore.Fault) async throws {
        let start = try await LegacyStore.make(isWhole: false)
        if step != .apply { _ = try await start.legacyImport().apply() }
        let whole = start.copy()
        try await step.run(whole.legacyImport())
        let end = try await Self.state(whole)
        let isEnd = fault == .stopBefore || fault == .stopAfter
        var call = isEnd ? 0 : (FaultyObjectStore.Fault.allCases.firstIndex(of: fault) ?? 0) % 3
        while try await run(step, fault, start, at: call, end) { call += isEnd ? 1 : 3 }
        #expect(call > 20)
    }

    private func run(
        _ step: Step, _ fault: FaultyObjectStore.Fault, _ start: LegacyStore, at call: Int, _ end: [String: String]
    ) async throws -> Bool {
        let older = start.copy()
        let faulty = FaultyObjectStore(older.store)
        faulty.arm(fault, at: call)
        do {
            try await step.run(older.legacyImport(faulty, seed: 2))
        } catch LegacyImportError.account(.store), LegacyImportError.conflict {
            // The step is run again below.
        }
        await faulty.applyLateChange()
        switch (faulty.faultedRequest, fault) {
        case (.nothing, _): return false
        // Reads have only one kind of fault; the others are equivalent.
        case (.read, .conflict), (.read, .lostBefore), (.read, .lostAfter), (.read, .lostAndLate): return true
        default: break
        }
        do {
            try await step.run(older.legacyImport(seed: 3))
        } catch LegacyImportError.notInProgress {
            // Its last write was done.
        }
        let found = try await Self.state(older)
        let differing = Set(found.keys).union(end.keys).filter { found[$0] != end[$0] }
        #expect(differing.isEmpty, "\(step), \(fault) at request \(call)")
        guard step != .undo, call % 16 == 0 else { return true }
        let service = try await older.serve()
        try await service.expect(.apple, LegacyStore.appleID, finds: UserID(LegacyStore.bob))
        try await service.expect(.google, LegacyStore.googleID, finds: UserID(LegacyStore.bob))
        try await service.expect(.apple, "eve", finds: UserID(LegacyStore.eve))
        return true
    }

    /// Returns every object; only the key for objects that contain random ids or count their writes.
    private static func state(_ older: LegacyStore) async throws -> [String: String] {
        var objects = try await older.objects()
        for key in objects.keys {
            let isRandom = [StorageLayout.accounts, StorageLayout.service].contains { key.hasPrefix($0) }
            let isClaim = key.hasPrefix(StorageLayout.identities) && objects[key]?.hasSuffix("[]") == true
            // The members of a profile have no fixed order.
            if isRandom || isClaim || key.hasSuffix("/profile.json") { objects[key] = "there" }
        }
        return objects
    }
}
