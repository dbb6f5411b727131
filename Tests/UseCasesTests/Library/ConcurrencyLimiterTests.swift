import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import UseCases

/// How many libraries are read concurrently, for how long, and in which order.
@Suite struct ConcurrencyLimiterTests {
    private let clock = TestClock()

    private func user(_ number: Int) throws -> UserID {
        try #require(UserID("9ae13d2b-2476-4748-a1ad-86e4fc7327e\(number)"))
    }

    private func makeLimiter(seats: Int, waiting: Int = 100) -> ConcurrencyLimiter {
        let clock = clock
        return ConcurrencyLimiter(seats: seats, waiting: waiting, budget: ReadTimeBudget(now: { clock.now }))
    }

    /// A read that lasts until it is released.
    private struct RunningOperation: Sendable {
        let task: Task<Void, any Error>
        let release: AsyncStream<Void>.Continuation

        func end() async throws {
            release.yield()
            try await task.value
        }
    }

    /// Starts a read that records its name when it is admitted.
    private func start(_ room: ConcurrencyLimiter, _ user: UserID, _ name: String, _ notes: RecordedTexts)
        -> RunningOperation
    {
        let (released, release) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await room.withPermit(for: user) {
                notes.record(name)
                for await _ in released { break }
            }
        }
        return RunningOperation(task: task, release: release)
    }

    /// Waits until a read is admitted.
    private func waitUntil(_ notes: RecordedTexts, _ texts: [String]) async {
        while notes.texts != texts { await Task.yield() }
    }

    /// Lets newly created tasks reach the limiter.
    private func arrive() async { for _ in 0..<200 { await Task.yield() } }

    @Test func `the four reads of an album's page that has nothing in memory are not refused`() async throws {
        let (clock, bob) = (clock, try user(1))
        let room = ConcurrencyLimiter(
            seats: 1, waiting: 100, perAccount: Libraries.readsPerAccount,
            budget: ReadTimeBudget(now: { clock.now }))
        let notes = RecordedTexts()
        let reads = (1...4).map { start(room, bob, "\($0)", notes) }
        await arrive()
        for read in reads { read.release.yield() }
        for read in reads { try await read.task.value }
        #expect(Set(notes.texts) == ["1", "2", "3", "4"])
    }

    @Test func `a read without a free permit waits until another one ends, even with an error`() async throws {
        let (room, notes) = (makeLimiter(seats: 1), RecordedTexts())
        let (bob, eve) = (try user(1), try user(2))
        let (opened, open) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await room.withPermit(for: bob) {
                notes.record("first in")
                for await _ in opened { break }
                notes.record("first out")
                throw ServiceError.notFound
            }
        }
        await waitUntil(notes, ["first in"])
        let second = Task { try await room.withPermit(for: eve) { notes.record("second") } }
        await arrive()
        open.yield()
        await #expect(throws: ServiceError.notFound) { try await first.value }
        try await second.value
        #expect(notes.texts == ["first in", "first out", "second"])
        #expect(try await room.withPermit(for: bob) { 7 } == 7)
    }

    @Test func `an account has one running read and two waiting ones, and further ones are refused`() async throws {
        let (room, notes) = (makeLimiter(seats: 4), RecordedTexts())
        let (bob, eve) = (try user(1), try user(2))
        let first = start(room, bob, "1", notes)
        await waitUntil(notes, ["1"])
        let (second, third) = (start(room, bob, "2", notes), start(room, bob, "3", notes))
        await arrive()
        #expect(notes.texts == ["1"], "permits are free, but not for the same account")
        await #expect(throws: ServiceError.rateLimited(retryAfter: 1)) { try await room.withPermit(for: bob) {} }
        try await room.withPermit(for: eve) {}
        try await first.end()
        while notes.texts.count < 2 { await Task.yield() }
        second.release.yield()
        third.release.yield()
        try await second.task.value
        try await third.task.value
        #expect(notes.texts.count == 3)
        try await room.withPermit(for: bob) {}
    }

    @Test func `permits go to waiting accounts in turn`() async throws {
        let (room, notes) = (makeLimiter(seats: 1), RecordedTexts())
        let (bob, eve, kim) = (try user(1), try user(2), try user(3))
        let first = start(room, bob, "bob 1", notes)
        await waitUntil(notes, ["bob 1"])
        let second = start(room, bob, "bob again", notes)
        await arrive()
        let third = start(room, bob, "bob again", notes)
        await arrive()
        let others = [start(room, eve, "eve", notes), start(room, kim, "kim", notes)]
        await arrive()
        try await first.end()
        for reading in others + [second, third] { reading.release.yield() }
        for reading in others + [second, third] { try await reading.task.value }
        // Bob's second read was queued before the others, but his first one has only just ended.
        #expect(Set(notes.texts[1...2]) == ["eve", "kim"])
        #expect(Array(notes.texts[3...]) == ["bob again", "bob again"])
    }

    @Test func `a read is refused while the queue is full`() async throws {
        let (room, notes) = (makeLimiter(seats: 1, waiting: 1), RecordedTexts())
        let first = start(room, try user(1), "1", notes)
        await waitUntil(notes, ["1"])
        let second = start(room, try user(2), "2", notes)
        await arrive()
        let third = try user(3)
        await #expect(throws: ServiceError.unavailable("too many concurrent library reads")) {
            try await room.withPermit(for: third) {}
        }
        try await first.end()
        try await second.end()
        try await room.withPermit(for: third) {}
    }

    @Test func `an account can read for half a minute at once and a tenth of the time afterwards`() async throws {
        let (room, clock) = (makeLimiter(seats: 1), clock)
        let (bob, eve) = (try user(1), try user(2))
        for _ in 0..<4 { try await room.withPermit(for: bob) { clock.advance(by: 9) } }
        // 36 seconds, of which 2.7 were refilled during the read: an excess of 3.3, which is refilled in 33 seconds.
        await #expect { try await room.withPermit(for: bob) {} } throws: {
            [.rateLimited(retryAfter: 33), .rateLimited(retryAfter: 34)].contains($0 as? ServiceError)
        }
        try await room.withPermit(for: eve) {}
        clock.advance(by: 34)
        let start = clock.now
        var read = 0
        while clock.now.timeIntervalSince(start) < 3600 {
            if (try? await room.withPermit(for: bob) { clock.advance(by: 9) }) != nil { read += 9 }
            clock.advance(by: 1)
        }
        #expect((300...400).contains(read))
        clock.advance(by: 300)
        try await room.withPermit(for: bob) {}
    }

    @Test func `a waiting read is refused if its account has used up its read time`() async throws {
        let (room, notes) = (makeLimiter(seats: 1), RecordedTexts())
        let (bob, eve) = (try user(1), try user(2))
        let first = start(room, bob, "1", notes)
        await waitUntil(notes, ["1"])
        let second = start(room, bob, "2", notes)
        let third = start(room, eve, "eve", notes)
        await arrive()
        clock.advance(by: 40)
        try await first.end()
        await #expect(throws: ServiceError.rateLimited(retryAfter: 100)) { try await second.task.value }
        try await third.end()
        #expect(notes.texts == ["1", "eve"])
    }

    @Test func `the end of a call is not refused for want of time, and may wait behind twice as many`() async throws {
        let (room, bob) = (makeLimiter(seats: 1), try user(1))
        let notes = RecordedTexts()
        let first = start(room, bob, "1", notes)
        await waitUntil(notes, ["1"])
        let waiting = (0..<5).map { _ in
            Task { try await room.withPermit(for: bob, isContinued: true) { notes.record("end") } }
        }
        await arrive()
        await #expect(throws: ServiceError.rateLimited(retryAfter: 1)) {
            try await room.withPermit(for: bob, isContinued: true) {}
        }
        clock.advance(by: 40)
        try await first.end()
        for task in waiting { try await task.value }
        #expect(notes.texts == ["1"] + [String](repeating: "end", count: 5))
        try await room.withPermit(for: bob, isContinued: true) {}
        await #expect(throws: ServiceError.rateLimited(retryAfter: 100)) { try await room.withPermit(for: bob) {} }
    }

    @Test func `a clock that is set back or far ahead blocks an account for a bounded time`() async throws {
        let (room, clock, bob) = (makeLimiter(seats: 1), clock, try user(1))
        try await room.withPermit(for: bob) { clock.advance(by: 86_400 * 365) }
        // No read counts for more than ten minutes.
        await #expect(throws: ServiceError.rateLimited(retryAfter: 5700)) { try await room.withPermit(for: bob) {} }
        clock.advance(by: -86_400 * 365)
        clock.advance(by: 5700)
        await #expect(throws: ServiceError.rateLimited(retryAfter: 5700)) { try await room.withPermit(for: bob) {} }
        clock.advance(by: 5701)
        try await room.withPermit(for: bob) { clock.advance(by: -50) }
        try await room.withPermit(for: bob) {}
    }

    @Test func `two accounts that read continuously use less than a third of the time`()
        async throws
    {
        let (room, clock) = (makeLimiter(seats: 2), clock)
        let (bob, eve) = (try user(1), try user(2))
        var used = 0
        for _ in 0..<3600 {
            for user in [bob, eve] where (try? await room.withPermit(for: user) { clock.advance(by: 3) }) != nil {
                used += 3
            }
            clock.advance(by: 1)
        }
        #expect(used < 3600 / 3)
    }

    @Test func `the least recently used values are evicted first`() {
        var values = LRUCache<Int, String>(limit: 10)
        for key in 1...3 { values.insert("\(key)", for: key, cost: 3) }
        #expect(values.value(for: 1) == "1")
        values.insert("4", for: 4, cost: 4)
        #expect((1...4).map { values.value(for: $0) } == ["1", nil, "3", "4"])
        values.insert("3 again", for: 3, cost: 5)
        #expect([1, 3, 4].map { values.value(for: $0) } == [nil, "3 again", "4"])
        values.insert("too large", for: 5, cost: 11)
        #expect([3, 4, 5].map { values.value(for: $0) } == [nil, nil, nil])
    }

    @Test func `the LRU cache has the same values as a plain list of uses`() {
        var (values, model) = (LRUCache<Int, Int>(limit: 50), [(key: Int, value: Int, cost: Int)]())
        var generator = SeededGenerator(seed: 7)
        for step in 0..<20_000 {
            let key = Int.random(in: 0..<40, using: &generator)
            if Bool.random(using: &generator) {
                let index = model.firstIndex { $0.key == key }
                #expect(values.value(for: key) == index.map { model[$0].value })
                if let index { model.append(model.remove(at: index)) }
            } else {
                let cost = Int.random(in: 1...60, using: &generator)
                values.insert(step, for: key, cost: cost)
                model.removeAll { $0.key == key }
                model.append((key, step, cost))
                while model.reduce(0, { $0 + $1.cost }) > 50 { model.removeFirst() }
            }
        }
    }
}

/// The recorded names, in order.
final class RecordedTexts: Sendable {
    private let all = Mutex<[String]>([])

    var texts: [String] { all.withLock { $0 } }
    func record(_ text: String) { all.withLock { $0.append(text) } }
}
