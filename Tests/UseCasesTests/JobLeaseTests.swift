import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import UseCases

/// Jobs over all accounts run on one instance at a time.
@Suite struct JobLeaseTests {
    private let interval = Duration.seconds(600)

    /// Two instances on one store, and one account.
    private func copies() async throws -> (first: TestService, second: TestService, clock: TestClock, user: UserID) {
        let clock = TestClock()
        let first = try await TestService.make(clock: clock)
        var options = TestService.Options()
        options.seed = 2
        let second = try await TestService.make(options, store: first.store, clock: clock)
        return (first, second, clock, try await signUp("bob", to: first))
    }

    /// Signs up a person with one photo: accounts without objects are not counted.
    private func signUp(_ name: String, device: Int = 1, to service: TestService) async throws -> UserID {
        let user = try await service.signUp(.apple, name, device: device).user.serviceUserID
        let photo = ObjectKey(known: "\(StorageLayout.photos(user))\(name).dat")
        _ = try await service.store.put(photo, ByteBuffer(string: name), if: .absent)
        return user
    }

    /// Stores another photo, so that the next run has a count to write.
    private func addPhoto(to user: UserID, _ service: TestService) async throws {
        let photo = ObjectKey(known: "\(StorageLayout.photos(user))another.dat")
        _ = try await service.store.put(photo, ByteBuffer(string: "another"), if: .absent)
    }

    /// Returns how many usage counts were written.
    private func counts(_ service: TestService, _ user: UserID) -> Int {
        service.store.drainRequests().count { $0.key == StorageLayout.usage(user) && $0.kind == .write }
    }

    @Test("one of two instances counts, and the other one only reads the lease")
    func oneCopy() async throws {
        let (first, second, _, user) = try await copies()
        try await first.services.maintenance.run(.usage, every: interval)
        #expect(counts(first, user) == 1)
        _ = second.store.drainRequests()
        try await second.services.maintenance.run(.usage, every: interval)
        #expect(second.store.drainRequests().map(\.key) == ["service/leases/usage.json"])
    }

    @Test("two instances that start a job concurrently run it once")
    func race() async throws {
        let (first, second, _, user) = try await copies()
        _ = first.store.drainRequests()
        async let one = first.services.maintenance.run(.usage, every: interval)
        async let other = second.services.maintenance.run(.usage, every: interval)
        _ = try await (one, other)
        #expect(counts(first, user) == 1)
    }

    @Test(
        "an instance that loses the race between reading and writing a lease does not run the job",
        arguments: [false, true])
    func fasterInstance(isFirstEver: Bool) async throws {
        let (first, second, clock, _) = try await copies()
        if !isFirstEver {
            try await first.services.maintenance.run(.usage, every: interval)
            clock.advance(by: 601)
        }
        let slow = InterruptedObjectStore(first.store)
        let copy = try await TestService.make(store: slow, clock: clock)
        _ = copy.store.drainRequests()
        // The lease is read, then written.
        slow.interrupt(before: 1) { _ = try? await second.services.maintenance.run(.usage, every: interval) }
        try await copy.services.maintenance.run(.usage, every: interval)
        #expect(!slow.isWaiting)
        #expect(Set(copy.store.drainRequests().map(\.key)) == ["service/leases/usage.json"])
    }

    @Test("any instance can acquire an expired lease")
    func next() async throws {
        let (first, second, clock, user) = try await copies()
        try await first.services.maintenance.run(.usage, every: interval)
        clock.advance(by: 599)
        _ = first.store.drainRequests()
        try await second.services.maintenance.run(.usage, every: interval)
        #expect(counts(first, user) == 0)
        try await addPhoto(to: user, first)
        clock.advance(by: 2)
        try await second.services.maintenance.run(.usage, every: interval)
        #expect(counts(first, user) == 1)
    }

    @Test("every job has its own lease")
    func jobs() async throws {
        let (first, second, clock, user) = try await copies()
        try await first.services.maintenance.run(.usage, every: interval)
        clock.advance(by: 200 * 86_400)
        try await second.services.maintenance.run(.devices, every: interval)
        #expect(try await first.store.list(prefix: StorageLayout.devices(user), after: nil, limit: 1).objects.isEmpty)
    }

    @Test("a lease with an expiry later than possible is ignored")
    func otherClock() async throws {
        let (first, second, clock, user) = try await copies()
        clock.advance(by: 30 * 86_400)
        try await first.services.maintenance.run(.usage, every: interval)
        clock.advance(by: -30 * 86_400)
        try await addPhoto(to: user, first)
        _ = first.store.drainRequests()
        try await second.services.maintenance.run(.usage, every: interval)
        #expect(counts(first, user) == 1)
    }

    @Test("a failed job releases its lease")
    func failure() async throws {
        let (first, second, clock, user) = try await copies()
        let faulty = FaultyObjectStore(first.store)
        let broken = try await TestService.make(store: faulty, clock: clock)
        // The lease is read and written, then the accounts are listed.
        faulty.arm(.unavailable, at: 2)
        await #expect(throws: ServiceError.unavailable("at this request")) {
            try await broken.services.maintenance.run(.usage, every: interval)
        }
        _ = first.store.drainRequests()
        try await second.services.maintenance.run(.usage, every: interval)
        #expect(counts(first, user) == 1)
    }

    @Test("a job that runs longer than its lease renews it, and its next run is scheduled from its start")
    func longJob() async throws {
        let (first, second, clock, user) = try await copies()
        for number in 2...8 { _ = try await signUp("bob\(number)", device: number, to: first) }
        let slow = InterruptedObjectStore(first.store)
        let copy = try await TestService.make(store: slow, clock: clock)
        let refused = Mutex(0)
        // Five minutes per account, with an attempt of the other instance each time.
        @Sendable func pass() async {
            slow.interrupt(before: 6) {
                clock.advance(by: 300)
                _ = try? await second.services.maintenance.run(.usage, every: interval)
                let requests = second.store.drainRequests()
                refused.withLock { $0 += requests.map(\.key) == ["service/leases/usage.json"] ? 1 : 0 }
                await pass()
            }
        }
        await pass()
        let start = clock.now
        try await copy.services.maintenance.run(.usage, every: interval)
        #expect(clock.now.timeIntervalSince(start) > 1200)
        #expect(refused.withLock { $0 } >= 5)
        try await addPhoto(to: user, first)
        _ = first.store.drainRequests()
        try await second.services.maintenance.run(.usage, every: interval)
        #expect(counts(first, user) == 1, "the job was due")
    }

    @Test("an instance that loses its lease leaves the rest of the job to the other instance")
    func lostLease() async throws {
        let (first, second, clock, _) = try await copies()
        for number in 2...4 { _ = try await signUp("bob\(number)", device: number, to: first) }
        let slow = InterruptedObjectStore(first.store)
        let copy = try await TestService.make(store: slow, clock: clock)
        // The lease, the accounts, an account, and five listings of its count.
        slow.interrupt(before: 9) {
            clock.advance(by: 700)
            _ = try? await second.services.maintenance.run(.usage, every: interval)
        }
        _ = first.store.drainRequests()
        try await copy.services.maintenance.run(.usage, every: interval)
        let written = first.store.drainRequests().count {
            $0.kind == .write && $0.key.hasPrefix(StorageLayout.accounts) && $0.key.hasSuffix("/usage.json")
        }
        #expect(written == 4, "all by the other instance: the running count began before")
    }
}
