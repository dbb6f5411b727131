import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import UseCases

/// The daily count covers every change that storage credentials permitted, and recounts find all others.
@Suite struct UsageChangeTests {
    @Test func `a change is counted by the first run after its period`() async throws {
        let fixture = try await UsageChangeFixture.settled()
        let end = try await fixture.issueCredentials()
        try await fixture.store(7, "a")
        fixture.clock.advance(by: end.timeIntervalSince(fixture.clock.now) + 3600 + 21_600 + 1)
        try await fixture.runNextDay()
        #expect(try await fixture.counted() == (7, 7))
        #expect(try await fixture.marks() == [])
    }

    @Test func `a mark stays until a count that begins after its period`() async throws {
        let fixture = try await UsageChangeFixture.settled()
        // Near the end of the day, so that the next run comes before the period is over.
        fixture.clock.advance(by: UsageChangeFixture.day - 3600)
        try await fixture.issueCredentials()
        fixture.clock.advance(by: 3601)
        try await fixture.run()
        #expect(try await fixture.marks().count == 1)
        try await fixture.store(7, "late")
        try await fixture.runNextDay()
        #expect(try await fixture.counted() == (7, 7))
        #expect(try await fixture.marks() == [])
    }

    @Test(
        "credentials that left the service are marked, whatever request fails",
        arguments: FaultyObjectStore.Fault.allCases)
    func issueFault(fault: FaultyObjectStore.Fault) async throws {
        var (call, marked) = (0, 0)
        while true {
            let fixture = try await UsageChangeFixture.settled()
            let faulty = FaultyObjectStore(fixture.memory)
            let instance = try await fixture.makeService(faulty)
            let session = try await fixture.service.signIn(.apple, "bob").session
            let caller = try await fixture.service.caller(session)
            faulty.arm(fault, at: call)
            if (try? await instance.services.storageAccess.issueCredentials(caller)) != nil {
                #expect(try await fixture.marks().count == 1, "\(fault) at request \(call)")
                marked += 1
            }
            if case .nothing = faulty.faultedRequest { break }
            call += 1
        }
        #expect(call > 0 && marked > 0)
    }

    @Test(
        "after a run that ends at any request, the next one counts the change",
        arguments: [FaultyObjectStore.Fault.stopBefore, .stopAfter])
    func runFault(fault: FaultyObjectStore.Fault) async throws {
        var call = 0
        while true {
            let fixture = try await UsageChangeFixture.settled()
            try await fixture.issueCredentials()
            try await fixture.store(7, "a")
            let faulty = FaultyObjectStore(fixture.memory)
            let instance = try await fixture.makeService(faulty)
            faulty.arm(fault, at: call)
            _ = try? await fixture.runNextDay(instance)
            // A removed mark means that the count is recorded in both places.
            if try await fixture.marks().isEmpty { #expect(try await fixture.counted() == (7, 7), "request \(call)") }
            try await fixture.runNextDay()
            #expect(try await fixture.counted() == (7, 7), "request \(call)")
            #expect(try await fixture.marks() == [], "request \(call)")
            if case .nothing = faulty.faultedRequest { break }
            call += 1
        }
        #expect(call > 8)
    }

    @Test("a change by another instance at any request of a run is counted by the next one")
    func race() async throws {
        var call = 0
        while true {
            let fixture = try await UsageChangeFixture.settled()
            try await fixture.issueCredentials()
            try await fixture.store(7, "a")
            fixture.clock.advance(by: UsageChangeFixture.day + 1)
            let store = InterruptedObjectStore(fixture.memory)
            let instance = try await fixture.makeService(store)
            store.interrupt(before: call) {
                _ = try? await fixture.issueCredentials()
                try? await fixture.store(70, "b")
            }
            let outcome = try await fixture.run(instance)
            guard case .succeeded(_, let totals?) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(totals.driftedAccounts == 0, "request \(call)")
            try await fixture.runNextDay()
            let isOver = store.isWaiting
            #expect(try await fixture.counted() == (isOver ? (7, 7) : (77, 77)), "request \(call)")
            #expect(try await fixture.marks() == [], "request \(call)")
            if isOver { break }
            call += 1
        }
        #expect(call > 8)
    }

    @Test func `an unmarked change is found within a week and reported as drift once`() async throws {
        let fixture = try await UsageChangeFixture.settled()
        try await fixture.store(7, "by-hand")
        var drifts: [(accounts: Int?, bytes: Int64?)] = []
        for _ in 0..<8 {
            guard case .succeeded(_, let totals?) = try await fixture.runNextDay() else { continue }
            drifts.append((totals.driftedAccounts, totals.driftedBytes))
        }
        #expect(drifts.count == 8)
        #expect(drifts.compactMap(\.accounts).reduce(0, +) == 1 && drifts.compactMap(\.bytes).reduce(0, +) == 7)
        #expect(drifts.first { $0.accounts == 1 }?.bytes == 7)
        #expect(try await fixture.counted() == (7, 7))
    }

    @Test func `after a run of a version without marks all accounts are counted, and differences are no drift`()
        async throws
    {
        let fixture = try await UsageChangeFixture.settled()
        try await fixture.store(7, "by-an-older-version")
        // It writes back only the members that it knows.
        let key = ObjectKey(known: StorageLayout.lease("usage"))
        let lease = try #require(try await fixture.memory.get(key))
        let text = String(buffer: lease.bytes)
        let older = text.replacing(/,?"recounts":\{[^}]*\}/, with: "").replacing("{,", with: "{")
        #expect(older != text)
        _ = try await fixture.memory.put(key, ByteBuffer(string: older), if: .matches(lease.etag))
        for bytes in [Int64(7), 12] {
            guard case .succeeded(_, let totals?) = try await fixture.runNextDay() else { return }
            #expect(try await fixture.counted() == (bytes, bytes))
            #expect(totals.driftedAccounts == 0)
            // The older version still issues credentials beside.
            try await fixture.store(5, "beside")
        }
    }

    @Test func `an account without changes costs one read, and no request per account otherwise`() async throws {
        let fixture = try await UsageChangeFixture.settled()
        try await fixture.issueCredentials()
        try await fixture.store(7, "a")
        for _ in 0..<8 { try await fixture.runNextDay() }
        fixture.clock.advance(by: UsageChangeFixture.day + 1)
        _ = fixture.service.store.drainRequests()
        try await fixture.run()
        let requests = fixture.service.store.drainRequests().filter { $0.kind != .list }
        #expect(
            requests.map(\.key) == [
                StorageLayout.lease("usage"), StorageLayout.lease("usage"), StorageLayout.accountDocument(fixture.user),
                StorageLayout.lease("usage"),
            ])
    }

    @Test func `a reserved upload is marked until it can no longer complete`() async throws {
        let fixture = try await UsageChangeFixture.settled()
        let caller = try await fixture.service.caller(try await fixture.service.signIn(.apple, "bob").session)
        let request = UploadRequest(md5: String(repeating: "a", count: 32), size: 1 << 30, kind: .photo)
        _ = try await fixture.service.services.uploads.reserveUpload(request, caller: caller)
        let end = fixture.clock.now.addingTimeInterval(UploadRequest.maximumDuration(of: 1 << 30) + 300)
        let last = try #require(try await fixture.marks().last?.split(separator: "/").last.flatMap { Double($0) })
        #expect((last + 1) * 21_600 > end.timeIntervalSince1970 + 3600)
        // It arrives at the last moment.
        fixture.clock.advance(by: end.timeIntervalSince(fixture.clock.now))
        try await fixture.store(9, "late")
        for _ in 0..<2 { try await fixture.runNextDay() }
        #expect(try await fixture.counted() == (9, 9))
        #expect(try await fixture.marks() == [])
    }

    @Test func `credentials that only read mark nothing, and a replaced profile marks the account`() async throws {
        let fixture = try await UsageChangeFixture.settled()
        let caller = try await fixture.service.caller(try await fixture.service.signIn(.apple, "bob").session)
        _ = try await fixture.service.services.storageAccess.cachedCredentials(caller, access: .read)
        #expect(try await fixture.marks() == [])
        _ = try await fixture.service.services.account.replaceProfile(
            fixture.user, with: .init(displayName: "B"), if: .any, caller: caller)
        #expect(try await fixture.marks().count == 1)
    }

    @Test func `an operator's count is recorded at once and removes no mark`() async throws {
        let fixture = try await UsageChangeFixture.settled()
        try await fixture.issueCredentials()
        try await fixture.store(7, "a")
        #expect(try await fixture.service.services.usage.countNow(fixture.user).bytes == 7)
        #expect(try await fixture.counted() == (7, 7))
        #expect(try await fixture.marks().count == 1)
        await #expect(throws: ServiceError.notFound) {
            try await fixture.service.services.usage.countNow(UserID(uuid: UUID()))
        }
    }
}
