import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Synchronization
import Testing
import UseCases

/// The device list and remote sign-out.
@Suite struct DeviceTests {
    @Test("devices are listed most recently seen first, with the calling device marked")
    func listing() async throws {
        let service = try await TestService.make()
        _ = try await service.signUp(.apple, "bob", device: 1)
        service.clock.advance(by: 60)
        let laptop = try await service.signIn(.apple, "bob", device: 2)
        let devices = try await service.services.devices.list(of: try await service.caller(laptop.session)).devices
        #expect(devices.map(\.name) == ["Device 2", "Device 1"])
        #expect(devices.map(\.isCurrent) == [true, false])
    }

    @Test("a removed device can neither call nor refresh, and its storage credentials stop working")
    func removal() async throws {
        let service = try await TestService.make()
        let phone = try await service.signUp(.apple, "bob", device: 1).session
        let laptop = try await service.signIn(.apple, "bob", device: 2).session
        let credentials = try await service.services.storageAccess.issueCredentials(try await service.caller(phone))
        let storage = try #require(
            SealedStorageSession.open(
                token: credentials.sessionToken, accessKeyID: credentials.accessKeyID, keyRing: service.keyRing
            )
        )
        #expect(try await service.services.storageEntitlements.entitlement(of: storage)?.access == .readWrite)
        try await service.services.devices.removeDevice(
            TestService.device(1).id, caller: try await service.caller(laptop)
        )
        #expect(try await service.services.storageEntitlements.entitlement(of: storage) == nil)
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(phone) }
        await #expect(throws: ServiceError.sessionEnded) {
            try await service.services.sessions.refresh(RefreshRequest(refreshToken: phone.refreshToken))
        }
    }

    @Test("a session opened on a device during its removal or sign-out stays active")
    func newSessionStays() async throws {
        let service = try await TestService.make()
        let phone = try await service.signUp(.apple, "bob", device: 1).session
        let old = try await service.signIn(.apple, "bob", device: 2).session
        let store = InterruptedObjectStore(service.store)
        var options = TestService.Options()
        options.seed = 2
        let slow = try await TestService.make(options, store: store, clock: service.clock)
        let caller = try await service.caller(phone)
        let opened = Mutex<Session?>(nil)
        let signIn: @Sendable () async -> Void = {
            let session = try? await service.signIn(.apple, "bob", device: 2).session
            opened.withLock { $0 = session }
        }
        // Both acts read the record and then write it.
        store.interrupt(before: 1, by: signIn)
        try await slow.services.devices.removeDevice(TestService.device(2).id, caller: caller)
        #expect(!store.isWaiting)
        var new = try #require(opened.withLock { $0 })
        #expect(try await service.caller(new).user == caller.user)
        store.interrupt(before: 1, by: signIn)
        try await slow.services.sessions.signOut(refreshToken: new.refreshToken)
        new = try #require(opened.withLock { $0 })
        #expect(try await service.caller(new).user == caller.user)
        try await service.services.sessions.signOut(refreshToken: old.refreshToken)
        #expect(try await service.caller(new).user == caller.user)
    }

    @Test("removing another account's device returns not found")
    func foreignDevice() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        _ = try await service.signUp(.apple, "eve", device: 9)
        await #expect(throws: ServiceError.notFound) {
            try await service.services.devices.removeDevice(
                TestService.device(9).id, caller: try await service.caller(bob.session)
            )
        }
    }

    @Test("a completed sync is listed with its time, for the calling device only")
    func lastSync() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        service.clock.advance(by: 5)
        try await service.services.devices.recordSync(
            TestService.device(1).id, caller: try await service.caller(bob.session)
        )
        let caller = try await service.caller(bob.session)
        let device = try #require(try await service.services.devices.list(of: caller).devices.first)
        #expect(device.lastSyncAt == service.clock.now && device.lastSeenAt == service.clock.now)
        await #expect(throws: ServiceError.notFound) {
            try await service.services.devices.recordSync(TestService.device(2).id, caller: caller)
        }
    }

    @Test("one device can serve two people, each with their own session")
    func sharedDevice() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        let eve = try await service.signUp(.apple, "eve", device: 1)
        #expect(try await service.caller(bob.session).user == bob.user.serviceUserID)
        #expect(try await service.caller(eve.session).user == eve.user.serviceUserID)
    }
}
