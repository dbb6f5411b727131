import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// The cost and content of a device list, whatever its cache contains.
@Suite struct DeviceListTests {
    /// Bob with several devices; the first is his own.
    private func bob(_ service: TestService, devices: Int) async throws -> SignedIn {
        let bob = try await service.signUp(.apple, "bob", device: 1)
        for number in 2...devices {
            service.clock.advance(by: 1)
            _ = try await service.signIn(.apple, "bob", device: number)
        }
        return bob
    }

    private func list(_ user: UserID) -> ObjectKey { ObjectKey(known: StorageLayout.deviceList(user)) }

    /// Counts the requests of one act by kind: device records, the cache, listings.
    private func requests(
        _ service: TestService, _ act: () async throws -> Void
    ) async throws -> (records: Int, lists: Int, listings: Int) {
        _ = service.store.drainRequests()
        try await act()
        let all = service.store.drainRequests()
        return (
            all.count { $0.key.contains("/devices/") && $0.kind == .read },
            all.count { $0.key.hasSuffix("/device-list.json") }, all.count { $0.kind == .list }
        )
    }

    /// Another instance on the same store, which has listed nothing yet. Its requests count as the first one's.
    private func other(_ service: TestService) async throws -> TestService {
        try await TestService.make(store: service.store, clock: service.clock)
    }

    @Test("with 60 devices, the account, its links and its devices cost one listing, and an instance's first one read")
    func constant() async throws {
        let service = try await TestService.make()
        let bob = try await bob(service, devices: 60)
        let caller = try await service.caller(bob.session)
        let first = try await requests(service) { _ = try await service.services.devices.list(of: caller) }
        #expect(first == (60, 2, 1))
        for act in [
            { _ = try await $0.services.devices.list(of: caller) },
            { _ = try await $0.services.account.user(caller.user, caller: caller) },
            { _ = try await $0.services.account.linkedAccounts(caller) },
        ] as [(TestService) async throws -> Void] {
            #expect(try await requests(service) { try await act(service) } == (0, 0, 1))
            let other = try await other(service)
            #expect(try await requests(service) { try await act(other) } == (0, 1, 1))
            #expect(try await requests(service) { try await act(other) } == (0, 0, 1))
        }
    }

    @Test("a short device list is read without a cache, and no cache is written")
    func few() async throws {
        let service = try await TestService.make()
        let bob = try await bob(service, devices: 4)
        let caller = try await service.caller(bob.session)
        for expected in [(4, 0, 1), (0, 0, 1)] {
            #expect(
                try await requests(service) { _ = try await service.services.devices.list(of: caller) } == expected)
        }
        #expect(try await service.store.get(list(caller.user)) == nil)
    }

    @Test("a list shows the current state of each device, however old the cache is")
    func exact() async throws {
        let service = try await TestService.make()
        let bob = try await bob(service, devices: 9)
        let caller = try await service.caller(bob.session)
        #expect(try await service.services.devices.list(of: caller).devices.count == 9)
        service.clock.advance(by: 50)
        let phone = try await service.signIn(.apple, "bob", device: 3).session
        try await service.services.devices.recordSync(TestService.device(3).id, caller: try await service.caller(phone))
        try await service.services.sessions.signOut(
            refreshToken: try await service.signIn(.apple, "bob", device: 4).session.refreshToken)
        try await service.services.devices.removeDevice(TestService.device(5).id, caller: caller)
        let reading = try await requests(service) {
            let devices = try await service.services.devices.list(of: caller).devices
            #expect(devices.count == 7 && devices.first?.id == TestService.device(3).id)
            #expect(devices.first?.lastSyncAt == service.clock.now && devices.first?.lastSeenAt == service.clock.now)
            let used = try await service.services.account.user(caller.user, caller: caller).linkedProviders.first?
                .lastUsedAt
            #expect(used == service.clock.now)
        }
        // Three changed records: they do not justify a cache write.
        #expect(reading == (3, 1, 2))
        _ = try await service.signIn(.apple, "bob", device: 20)
        _ = try await service.signIn(.apple, "bob", device: 21)
        #expect(try await service.services.devices.list(of: caller).devices.count == 9)
        let other = try await other(service)
        #expect(try await requests(service) { _ = try await other.services.devices.list(of: caller) } == (0, 1, 1))
    }

    @Test("a removed device disappears from the list with its record, even if the cache still contains it")
    func removed() async throws {
        let service = try await TestService.make()
        let bob = try await bob(service, devices: 6)
        let caller = try await service.caller(bob.session)
        _ = try await service.services.devices.list(of: caller)
        try await service.services.devices.removeDevice(TestService.device(2).id, caller: caller)
        try await service.services.deviceCleanup.cleanUpDevices()
        #expect(
            try await service.services.devices.list(of: caller).devices.map(\.id).contains(TestService.device(2).id)
                == false)
        #expect(try await service.services.devices.list(of: caller).devices.count == 5)
    }

    @Test("a cache that is damaged or of another account changes no list and is replaced")
    func damaged() async throws {
        let service = try await TestService.make()
        let bob = try await bob(service, devices: 8)
        let caller = try await service.caller(bob.session)
        let expected = try await service.services.devices.list(of: caller)
        let kept = try #require(try await service.store.get(list(caller.user))).bytes
        let text = String(buffer: kept)
        let others = text.replacing("Device ", with: "Other ").replacing(/"tag":"[^"]+"/, with: #""tag":"x""#)
        for bytes in ["{", others, String(repeating: " ", count: 2 << 20)] {
            _ = try await service.store.put(list(caller.user), ByteBuffer(string: bytes), if: .always)
            for cost in [nil, (0, 1, 1)] as [(Int, Int, Int)?] {
                let other = try await other(service)
                let reading = try await requests(service) {
                    let list = try await other.services.devices.list(of: caller)
                    #expect(list == expected)
                }
                if let cost { #expect(reading == cost) }
            }
        }
    }

    @Test("devices are listed even if the cache cannot be written")
    func notWritable() async throws {
        let clock = TestClock()
        let faulty = FaultyObjectStore(MemoryObjectStore { clock.now })
        var options = TestService.Options()
        options.attempts = 1
        let service = try await TestService.make(options, store: faulty, clock: clock)
        let bob = try await bob(service, devices: 7)
        let caller = try await service.caller(bob.session)
        // A listing, the cache, seven records; then the write.
        faulty.arm(.unavailable, at: 9)
        #expect(try await service.services.devices.list(of: caller).devices.count == 7)
        #expect(try await service.store.get(list(caller.user)) == nil)
    }

    @Test("the history names every device and reads only records with events that are not yet in the log")
    func history() async throws {
        let service = try await TestService.make()
        let bob = try await bob(service, devices: 12)
        try await service.services.deviceCleanup.cleanUpDevices()
        let caller = try await service.caller(bob.session)
        _ = try await service.services.devices.list(of: caller)
        _ = try await service.signIn(.apple, "bob", device: 3)
        let reading = try await requests(service) {
            let entries = try await service.services.account.history(
                caller.user, before: nil, limit: 50, caller: caller
            )
            .entries
            #expect(entries.first?.deviceName == "Device 3" && entries.first?.sequence == nil)
            #expect(entries.count { $0.act == .signedIn } == 12 && entries.allSatisfy { $0.deviceName != nil })
        }
        #expect(reading == (2, 1, 1))
    }
}
