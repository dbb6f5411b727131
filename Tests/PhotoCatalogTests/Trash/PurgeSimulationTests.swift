import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing

@testable import PhotoCatalog

/// Purges concurrent with devices that add, restore from the trash and repair, in seeded orders and with seeded faults:
/// every content of the library and every acknowledged photo is stored.
@Suite struct PurgeSimulationTests {
    /// A device of Bob, whose photos are short texts.
    private struct Device: Sendable {
        let store: any ObjectStore & DatedDeletion
        let catalogs: CatalogStore

        init(_ store: any ObjectStore & DatedDeletion, number: UInt32) {
            self.store = store
            catalogs = CatalogStore(
                store: store, user: .bob, device: DeviceTag(value: number),
                pause: Backoff(randomness: .seeded(3)) { _ in await Task.yield() },
                randomness: .seeded(UInt64(number) + 7))
        }

        static func key(_ seed: Int) throws -> ObjectKey {
            ObjectKey(known: StorageLayout.photo(.bob, md5: try ContentDigest.seeded(seed).description))
        }

        /// Adds a photo as a backup does: reads the catalog, checks the content, uploads it if missing, and commits.
        func add(_ path: String, _ seed: Int) async throws {
            let head = try await catalogs.endingAbandonedPurge(try await catalogs.head())
            let version = try await catalogs.load(head)
            let key = try Self.key(seed)
            if try await store.head(key) == nil {
                _ = try await store.put(key, ByteBuffer(string: "\(seed)"), if: .always)
            }
            _ = try await catalogs.commit([try .photo(path, seed: seed)], onto: version)
        }

        func trash(_ paths: String...) async throws {
            var selection = PhotoSelection()
            selection.paths = paths
            _ = try await PhotoTrash(catalogs).moveToTrash(selection) { _ in true }
        }

        /// Deletes the pointer or damages the newest snapshot, and repairs the catalog.
        func lose(isPointer: Bool) async throws {
            if isPointer {
                try await store.delete(ObjectKey(known: StorageLayout.catalogPointer(.bob)), if: .always)
            } else if let newest = try await catalogs.head().snapshot {
                let key = ObjectKey(known: StorageLayout.catalogSnapshot(.bob, md5: newest.description))
                _ = try await store.put(key, ByteBuffer(string: "junk"), if: .always)
            }
            _ = try await catalogs.repair()
        }

        func restoreFromTrash() async throws { _ = try await PhotoTrash(catalogs).restore(PhotoSelection()) }

        /// Purges as `TrashPurge.run` does, but in the simulation's task, one content per round.
        func purge() async throws {
            for photo in 1...3 {
                let one = Set([try ContentDigest.seeded(photo)])
                guard let begun = try await catalogs.beginPurge(olderThan: TrashPurge.age, among: one) else { continue }
                let round = await TrashPurge(catalogs, store: store).deleteAndEnd(begun)
                if round.stopped != nil || round.unknown > 0 { return }
            }
        }
    }

    /// Returns the paths of library entries whose content is not stored.
    private static func missing(_ device: Device) async throws -> [LibraryPath] {
        var missing: [LibraryPath] = []
        for entry in try await device.catalogs.load().catalog.entries {
            let key = ObjectKey(known: StorageLayout.photo(.bob, md5: entry.md5.description))
            if try await device.store.head(key) == nil { missing.append(entry.path) }
        }
        return missing
    }

    @Test("concurrent purges, additions, restores and repairs with random faults lose no photo")
    func schedules() async throws {
        try await SimulationSeeds(1000).forEach { seed in try await Self.run(seed) }
    }

    private static func run(_ seed: UInt64) async throws {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let whole = Device(store, number: 9)
        for number in 1...4 { try await whole.add("\(number).jpg", number) }
        try await whole.trash("1.jpg", "2.jpg", "3.jpg")
        clock.advance(by: 31 * 86_400)

        let simulation = Simulation(
            seed: seed, faultsInHundred: seed % 3 == 0 ? 0 : 6, leaping: seed % 2 == 0 ? clock : nil)
        let devices = (1...4).map { number in
            Device(simulation.view(of: store, actor: number), number: UInt32(number))
        }
        let added = Mutex<[String]>([])
        var actors: [@Sendable () async -> Void] = [
            { try? await devices[0].purge() },
            {
                for (path, photo) in [("new.jpg", 1), ("new too.jpg", 2)]
                where (try? await devices[1].add(path, photo)) != nil {
                    added.withLock { $0.append(path) }
                }
            },
        ]
        switch seed % 5 {
        case 0: actors.append { try? await devices[2].purge() }
        case 1, 2: actors.append { try? await devices[2].restoreFromTrash() }
        default: actors.append { try? await devices[2].trash("4.jpg", "new.jpg") }
        }
        let isLost = seed % 4 == 1
        if isLost { actors.append { try? await devices[3].lose(isPointer: seed % 8 == 1) } }
        let outcome = simulation.run(actors)
        let trace = "PHOTOLALA_SEED=\(seed)\n\(outcome.trace)"
        #expect(outcome.stuck == 0, "\(trace)")
        let acknowledged = added.withLock { $0 }
        do {
            if !isLost { try await check(whole, acknowledged, trace) }
            // No request of an interrupted purge is pending any more; damage is repaired by a user.
            clock.advance(by: 3600)
            if isLost { _ = try await whole.catalogs.repair() }
            try await check(whole, isLost ? [] : acknowledged, trace)
            let copy = Device(store.copy { clock.now }, number: 8)
            try await copy.store.delete(ObjectKey(known: StorageLayout.catalogPointer(.bob)), if: .always)
            // Damage persists until a repair.
            if isLost { _ = try await copy.catalogs.repair() }
            try await check(copy, isLost ? [] : acknowledged, "without a pointer\n\(trace)")
            try await whole.purge()
            try await whole.add("newer.jpg", 1)
            try await check(whole, ["newer.jpg"], trace)
        } catch {
            Issue.record("\(error)\n\(trace)")
        }
    }

    /// - Parameter acknowledged: The paths that must be in the library or its trash.
    private static func check(_ device: Device, _ acknowledged: [String], _ trace: String) async throws {
        let lost = try await missing(device)
        #expect(lost.isEmpty, "\(lost)\n\(trace)")
        let catalog = try await device.catalogs.load().catalog
        let paths = Set((catalog.entries.map(\.path) + catalog.trash.map(\.path)).map(\.description))
        #expect(paths.isSuperset(of: acknowledged), "\(acknowledged)\n\(trace)")
    }
}
