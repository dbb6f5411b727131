import Foundation
import ObjectStorage
import PhotolalaTesting
import Secrets
import Synchronization
import Testing

@testable import PhotoLibrary

/// Devices that edit, sync and back up in any order, with faults and kills at any moment.
@Suite(.serialized) struct SyncSimulationTests {
    @Test("Whatever devices do and however their syncs end, all end equal and nothing is lost or thrown away by itself")
    func schedules() async throws {
        try await SimulationSeeds(150).forEach { seed in try await SyncSchedule(seed).run() }
    }
}
