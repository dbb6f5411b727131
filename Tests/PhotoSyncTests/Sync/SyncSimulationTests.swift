import Foundation
import ObjectStorage
import PhotolalaTesting
import Secrets
import Synchronization
import Testing

/// Devices that edit, sync and back up in any order, with faults and kills at any time.
@Suite(.serialized) struct SyncSimulationTests {
    @Test("devices in any schedule of edits, syncs and faults end equal, and no photo is lost or trashed unasked")
    func schedules() async throws {
        try await SimulationSeeds(150).forEach { seed in try await SyncSchedule(seed).run() }
    }
}
