import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// The device limit of an account and the choice of devices to remove.
@Suite struct DeviceLimitTests {
    private func service(
        most: Int, store: (any ObjectStore)? = nil, clock: TestClock = TestClock(),
        events: RecordingEventReceiver? = nil,
        seed: UInt64 = 1
    ) async throws -> TestService {
        var options = TestService.Options()
        options.devicesPerAccount = most
        options.eventReceiver = events
        options.seed = seed
        return try await TestService.make(options, store: store, clock: clock)
    }

    private func signIn(_ service: TestService, _ numbers: [Int]) async throws -> [Session] {
        var sessions: [Session] = []
        for number in numbers {
            service.clock.advance(by: 10)
            sessions.append(try await service.signIn(.apple, "bob", device: number).session)
        }
        return sessions
    }

    private func records(_ service: TestService, _ user: UserID) async throws -> Int {
        try await service.store.list(prefix: StorageLayout.devices(user), after: nil, limit: 1000).objects.count
    }

    @Test(
        "a new device over the limit removes the least recently seen one, with an audit entry and an event")
    func displaces() async throws {
        let receiver = RecordingEventReceiver()
        let service = try await service(most: 3, events: receiver)
        let first = try await service.signUp(.apple, "bob", device: 1)
        let second = try await signIn(service, [2, 3])[0]
        service.clock.advance(by: 10)
        _ = try await service.services.sessions.refresh(RefreshRequest(refreshToken: first.session.refreshToken))
        let fourth = try await signIn(service, [4])[0]
        let caller = try await service.caller(fourth)
        let devices = try await service.services.devices.list(of: caller).devices
        #expect(Set(devices.map(\.name)) == ["Device 1", "Device 3", "Device 4"])
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(second) }
        await #expect(throws: ServiceError.sessionEnded) {
            try await service.services.sessions.refresh(RefreshRequest(refreshToken: second.refreshToken))
        }
        #expect(try await records(service, caller.user) == 3)
        let entries = try await service.services.account.history(caller.user, before: nil, limit: 50, caller: caller)
            .entries
        let displaced = try #require(entries.first { $0.act == .deviceDisplaced })
        #expect(displaced.actor == .service && displaced.targetDeviceID == TestService.device(2).id)
        #expect(displaced.sequence != nil && displaced.deviceID == nil)
        service.clock.advance(by: 61)
        try await service.services.eventDelivery.deliverEvents()
        let removed = try #require(receiver.events.first { $0.type == .deviceRemoved })
        #expect(removed.device == TestService.device(2).id && removed.actor == .service)
    }

    @Test("a signed-out device is removed before a signed-in one")
    func signedOutFirst() async throws {
        let service = try await service(most: 3)
        _ = try await service.signUp(.apple, "bob", device: 1)
        let sessions = try await signIn(service, [2, 3])
        try await service.services.sessions.signOut(refreshToken: sessions[1].refreshToken)
        let last = try await signIn(service, [4])[0]
        let devices = try await service.services.devices.list(of: try await service.caller(last)).devices
        #expect(Set(devices.map(\.name)) == ["Device 1", "Device 2", "Device 4"])
        #expect(try await records(service, try await service.caller(last).user) == 3)
    }

    /// Returns the kinds of the store requests, excluding the service's own documents.
    private func kinds(_ service: TestService) -> [String] {
        service.store.drainRequests().filter { !$0.key.hasPrefix(StorageLayout.service) }.map(\.kind.rawValue).sorted()
    }

    @Test("a sign-in on a known device lists nothing and removes no device; on a new device it lists once")
    func cost() async throws {
        let service = try await service(most: 3)
        _ = try await service.signUp(.apple, "bob", device: 1)
        _ = try await signIn(service, [2, 3])
        _ = service.store.drainRequests()
        _ = try await signIn(service, [2])
        #expect(kinds(service) == ["read", "read", "read", "write"])
        let other = try await self.service(most: 4)
        _ = try await other.signUp(.apple, "bob", device: 1)
        _ = try await signIn(other, [2, 3])
        _ = other.store.drainRequests()
        _ = try await signIn(other, [4])
        #expect(kinds(other) == ["list", "read", "read", "read", "write"])
    }

    @Test("devices that sign in within one second do not exceed the limit, whatever their ids")
    func sameSecond() async throws {
        let service = try await service(most: 3)
        let bob = try await service.signUp(.apple, "bob", device: 30)
        for number in [29, 28] { _ = try await service.signIn(.apple, "bob", device: number) }
        for number in [27, 26, 25] {
            await #expect(throws: ServiceError.rateLimited(retryAfter: 1)) {
                _ = try await service.signIn(.apple, "bob", device: number)
            }
            #expect(try await records(service, bob.user.serviceUserID) == 3)
        }
        _ = try await service.caller(bob.session)
        service.clock.advance(by: 1)
        let next = try await service.caller(try await service.signIn(.apple, "bob", device: 27).session)
        #expect(
            Set(try await service.services.devices.list(of: next).devices.map(\.name)) == [
                "Device 27", "Device 29", "Device 30",
            ])
    }

    @Test("an identity's first device may exceed the limit by one, and its next devices replace it")
    func otherIdentity() async throws {
        let service = try await service(most: 3)
        let bob = try await service.signUp(.apple, "bob", device: 1)
        _ = try await service.link(.google, "bob", in: bob.session)
        _ = try await signIn(service, [2, 3])
        for number in [4, 5, 6] {
            _ = try await service.signIn(.google, "bob", device: number)
            service.clock.advance(by: 10)
            #expect(try await records(service, bob.user.serviceUserID) == 4)
        }
        let devices = try await service.services.devices.list(of: try await service.caller(bob.session)).devices
        #expect(Set(devices.map(\.name)) == ["Device 1", "Device 2", "Device 3", "Device 6"])
    }

    @Test("a sign-in displaces the devices of younger identities, of the youngest first, and none of older ones")
    func youngestIdentityFirst() async throws {
        let service = try await service(most: 4)
        let bob = try await service.signUp(.apple, "bob", device: 1)
        _ = try await service.link(.google, "bob", in: bob.session)
        _ = try await service.link(.facebook, "bob", in: bob.session)
        for (provider, number) in [(ProviderName.google, 2), (.facebook, 3), (.facebook, 4)] {
            service.clock.advance(by: 10)
            _ = try await service.signIn(provider, "bob", device: number)
        }
        func devices() async throws -> Set<String> {
            Set(try await service.services.devices.list(of: try await service.caller(bob.session)).devices.map(\.name))
        }
        _ = try await signIn(service, [5])
        #expect(try await devices() == ["Device 1", "Device 2", "Device 4", "Device 5"])
        service.clock.advance(by: 10)
        _ = try await service.signIn(.google, "bob", device: 6)
        #expect(try await devices() == ["Device 1", "Device 2", "Device 5", "Device 6"])
        _ = try await signIn(service, [7, 8])
        #expect(try await devices() == ["Device 1", "Device 5", "Device 7", "Device 8"])
        service.clock.advance(by: 10)
        _ = try await service.signIn(.facebook, "bob", device: 9)
        #expect(try await devices() == ["Device 1", "Device 5", "Device 7", "Device 8", "Device 9"])
    }

    @Test("an identity that is new displaces devices of its own only")
    func newIdentity() async throws {
        var options = TestService.Options()
        options.devicesPerAccount = 3
        options.unlinkDelay = 86_400
        let service = try await TestService.make(options)
        let bob = try await service.signUp(.apple, "bob", device: 1)
        _ = try await service.link(.google, "bob", in: bob.session)
        _ = try await service.link(.facebook, "bob", in: bob.session)
        _ = try await service.signIn(.facebook, "bob", device: 2)
        for number in [3, 4, 5] {
            service.clock.advance(by: 10)
            _ = try await service.signIn(.google, "bob", device: number)
        }
        let devices = try await service.services.devices.list(of: try await service.caller(bob.session)).devices
        #expect(Set(devices.map(\.name)) == ["Device 1", "Device 2", "Device 5"])
    }

    @Test("racing sign-ins get a session or are rate limited, and the account stays within its device limit")
    func race() async throws {
        let service = try await service(most: 5)
        let bob = try await service.signUp(.apple, "bob", device: 1)
        _ = try await signIn(service, [2, 3, 4, 5])
        service.clock.advance(by: 10)
        let token = try service.token(.apple, "bob")
        let results = await withTaskGroup(of: Result<Session, ServiceError>.self) { group in
            for number in 10..<20 {
                group.addTask {
                    do throws(ServiceError) {
                        return .success(
                            try await service.services.signIn.signIn(
                                SignInRequest(provider: .apple, idToken: token, device: TestService.device(number))
                            ).session)
                    } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var sessions: [Session] = []
        for result in results {
            switch result {
            case .success(let session): sessions.append(session)
            case .failure(let error): #expect(error == .rateLimited(retryAfter: 1))
            }
        }
        #expect(Set((15..<20).map { TestService.device($0).id }).isSubset(of: sessions.map(\.deviceID)))
        // Devices of the same second are ranked by id: the highest is the last.
        let last = try await service.caller(try #require(sessions.max { $0.deviceID < $1.deviceID }))
        #expect(try await service.services.devices.list(of: last).devices.count >= 5)
        service.clock.advance(by: 10)
        let next = try await service.caller(try await signIn(service, [30, 31])[1])
        let devices = try await service.services.devices.list(of: next).devices
        #expect(devices.count == 5 && devices.first?.isCurrent == true)
        #expect(devices.allSatisfy { $0.id > TestService.device(9).id })
        #expect(next.user == bob.user.serviceUserID)
    }

    @Test("the daily job reduces an account to a newly lowered limit, least recently seen first")
    func job() async throws {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let before = try await service(most: 100, store: store, clock: clock)
        let bob = try await before.signUp(.apple, "bob", device: 1)
        let sessions = try await signIn(before, Array(2...30))
        let after = try await service(most: 4, store: store, clock: clock, seed: 2)
        try await after.services.deviceCleanup.cleanUpDevices()
        #expect(try await records(after, bob.user.serviceUserID) == 4)
        let caller = try await after.caller(try #require(sessions.last))
        #expect(
            Set(try await after.services.devices.list(of: caller).devices.map(\.name))
                == Set((27...30).map { "Device \($0)" }))
        let acts = try await after.auditEvents(of: bob.user.serviceUserID)
        #expect(acts.count { $0 == .deviceDisplaced } == 26 && acts.count { $0 == .signedIn } == 29)
        await #expect(throws: ServiceError.sessionEnded) { try await after.caller(bob.session) }
    }

    @Test("one sign-in removes at most eight devices")
    func bounded() async throws {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        let before = try await service(most: 100, store: store, clock: clock)
        let bob = try await before.signUp(.apple, "bob", device: 1)
        _ = try await signIn(before, Array(2...20))
        let after = try await service(most: 4, store: store, clock: clock, seed: 2)
        _ = try await signIn(after, [40])
        #expect(try await records(after, bob.user.serviceUserID) == 13)
    }

    @Test("a device that is used again while it is being removed stays")
    func usedAgain() async throws {
        let clock = TestClock()
        let inner = MemoryObjectStore { clock.now }
        let service = try await service(most: 3, store: inner, clock: clock)
        let bob = try await service.signUp(.apple, "bob", device: 1)
        _ = try await signIn(service, [2, 3])
        let interrupted = InterruptedObjectStore(inner)
        let slow = try await self.service(most: 3, store: interrupted, clock: clock, seed: 3)
        clock.advance(by: 10)
        let token = try slow.token(.apple, "bob")
        // Identity binding, account, device, write, listing, one record for each of four devices; then the record to
        // remove is read again.
        interrupted.interrupt(before: 9) {
            _ = try? await service.services.sessions.refresh(RefreshRequest(refreshToken: bob.session.refreshToken))
        }
        _ = try await slow.services.signIn.signIn(
            SignInRequest(provider: .apple, idToken: token, device: TestService.device(4)))
        #expect(!interrupted.isWaiting)
        _ = try await service.caller(bob.session)
        #expect(try await records(service, bob.user.serviceUserID) == 4)
    }
}
