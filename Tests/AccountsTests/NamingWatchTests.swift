import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// A copy of the service goes by what it knows of the stamp for a while, and never for longer.
@Suite struct NamingWatchTests {
    @Test("A copy reads the stamp when its knowledge is out of date, and not before")
    func outOfDate() async throws {
        let service = try await TestService.make()
        let pace = MigrationPace(.dev)
        func reads() async throws -> Int {
            _ = service.store.takeRequests()
            _ = try await service.owner(.apple, "nobody")
            return service.store.takeRequests().count { $0.key == StorageLayout.storeStamp }
        }
        #expect(try await reads() == 0)
        service.clock.advance(by: pace.trust)
        #expect(try await reads() == 1)
        service.clock.advance(by: pace.trust - 1)
        #expect(try await reads() == 0)
        // A clock that was set back says nothing about how old knowledge is.
        service.clock.advance(by: -pace.trust)
        #expect(try await reads() == 1)
    }

    @Test("A copy whose knowledge is out of date does nothing while the stamp cannot be read")
    func unreadable() async throws {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let service = try await TestService.make(store: store, clock: clock)
        try await store.delete(ObjectKey(known: StorageLayout.storeStamp), if: .always)
        _ = try await service.signUp(.apple, "bob")
        clock.advance(by: 60)
        await #expect(throws: (any Error).self) { try await service.signIn(.apple, "bob") }
        await #expect(throws: (any Error).self) { try await service.signUp(.google, "eve", device: 2) }
    }

    @Test(
        "Copies re-read the stamp well within the time for which they trust it, and migrations wait for longer",
        arguments: DeploymentEnvironment.allCases)
    func pace(environment: DeploymentEnvironment) {
        let pace = MigrationPace(environment)
        #expect(2 * pace.reread < pace.trust && 2 * pace.trust <= pace.wait)
    }
}
