import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// An instance relies on the store manifest it has read for a limited time.
@Suite struct ManifestCacheTests {
    @Test("an instance reads the manifest when its cached view expires, and not before")
    func outOfDate() async throws {
        let service = try await TestService.make()
        let pace = RekeyingSchedule(.dev)
        func reads() async throws -> Int {
            _ = service.store.drainRequests()
            _ = try await service.owner(.apple, "unknown")
            return service.store.drainRequests().count { $0.key == StorageLayout.storeManifest }
        }
        #expect(try await reads() == 0)
        service.clock.advance(by: pace.maximumAge)
        #expect(try await reads() == 1)
        service.clock.advance(by: pace.maximumAge - 1)
        #expect(try await reads() == 0)
        // If the clock was set back, the age of the cached view is unknown.
        service.clock.advance(by: -pace.maximumAge)
        #expect(try await reads() == 1)
    }

    @Test("an instance with an expired view of the manifest does nothing while the manifest cannot be read")
    func unreadable() async throws {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let service = try await TestService.make(store: store, clock: clock)
        try await store.delete(ObjectKey(known: StorageLayout.storeManifest), if: .always)
        _ = try await service.signUp(.apple, "bob")
        clock.advance(by: 60)
        await #expect(throws: ServiceError.internal("corrupted: missing store manifest")) {
            try await service.signIn(.apple, "bob")
        }
        await #expect(throws: ServiceError.internal("corrupted: missing store manifest")) {
            try await service.signUp(.google, "eve", device: 2)
        }
    }

    @Test(
        "instances reread the manifest well before it expires, and re-keying waits longer than that",
        arguments: DeploymentEnvironment.allCases)
    func schedule(environment: DeploymentEnvironment) {
        let pace = RekeyingSchedule(environment)
        #expect(2 * pace.refreshInterval < pace.maximumAge && 2 * pace.maximumAge <= pace.phaseDelay)
    }
}
