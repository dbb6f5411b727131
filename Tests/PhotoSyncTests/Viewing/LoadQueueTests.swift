import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoSync

@Suite("Shared loads") struct LoadQueueTests {
    private enum Failure: Error {
        case cancelled
    }

    private typealias Queue = LoadQueue<String, Int, Failure>

    /// Records loads, which wait at a gate.
    private final class Loads: Sendable {
        struct Log {
            var started: [String] = []
            var cancelled: [String] = []
            var running = 0
            var mostRunning = 0
        }

        let gate = Gate()
        let log = Mutex(Log())

        var started: [String] { log.withLock { $0.started } }

        func load(_ name: String) async throws(Failure) -> Int {
            log.withLock {
                $0.started.append(name)
                $0.running += 1
                $0.mostRunning = max($0.mostRunning, $0.running)
            }
            await gate.wait()
            let isCancelled = Task.isCancelled
            log.withLock {
                $0.running -= 1
                if isCancelled { $0.cancelled.append(name) }
            }
            if isCancelled { throw .cancelled }
            return name.count
        }
    }

    /// Starts a request and returns when it waits for its load.
    private func request(
        _ name: String, _ priority: LoadPriority, from queue: Queue, _ loads: Loads
    ) async -> Task<Result<Int, Failure>, Never> {
        let before = queue.requestCount(for: name)
        let task = Task { () -> Result<Int, Failure> in
            do throws(Failure) {
                return .success(
                    try await queue.value(for: name, priority: priority) { () async throws(Failure) in
                        try await loads.load(name)
                    })
            } catch { return .failure(error) }
        }
        while queue.requestCount(for: name) == before { await Task.yield() }
        return task
    }

    @Test("concurrent requests for a key share one load, and a later one loads again")
    func shared() async {
        let (queue, loads) = (Queue(limit: 2, cancelled: .cancelled), Loads())
        var tasks: [Task<Result<Int, Failure>, Never>] = []
        for _ in 0..<5 { tasks.append(await request("abc", .visible, from: queue, loads)) }
        loads.gate.open()
        for task in tasks { #expect(await task.value == .success(3)) }
        #expect(loads.started == ["abc"])
        let again = try? await queue.value(for: "abc", priority: .visible) { () async throws(Failure) in 7 }
        #expect(again == 7)
    }

    @Test("a cancelled request leaves the load to the others, and the last one cancels it")
    func cancellation() async {
        let (queue, loads) = (Queue(limit: 2, cancelled: .cancelled), Loads())
        let first = await request("a", .visible, from: queue, loads)
        let second = await request("a", .visible, from: queue, loads)
        while loads.started.isEmpty { await Task.yield() }
        first.cancel()
        #expect(await first.value == .failure(.cancelled))
        #expect(queue.requestCount(for: "a") == 1)
        #expect(loads.log.withLock { $0.running } == 1)
        second.cancel()
        #expect(await second.value == .failure(.cancelled))
        while loads.log.withLock({ $0.running > 0 }) { await Task.yield() }
        #expect(loads.log.withLock { $0.cancelled } == ["a"])

        let third = await request("a", .visible, from: queue, loads)
        loads.gate.open()
        #expect(await third.value == .success(1))
        #expect(loads.started == ["a", "a"])
    }

    @Test("a request that waits does not load after its cancellation")
    func cancelledWhileWaiting() async {
        let (queue, loads) = (Queue(limit: 1, cancelled: .cancelled), Loads())
        let running = await request("a", .visible, from: queue, loads)
        let waiting = await request("b", .visible, from: queue, loads)
        let last = await request("c", .visible, from: queue, loads)
        waiting.cancel()
        #expect(await waiting.value == .failure(.cancelled))
        loads.gate.open()
        #expect(await running.value == .success(1))
        #expect(await last.value == .success(1))
        #expect(loads.started == ["a", "c"])
    }

    @Test("visible loads start before prefetched ones, also when a request raises or lowers the priority")
    func priorities() async {
        let (queue, loads) = (Queue(limit: 1, cancelled: .cancelled), Loads())
        var tasks = [await request("running", .prefetch, from: queue, loads)]
        for name in ["lowered", "plain", "raised"] {
            tasks.append(await request(name, .prefetch, from: queue, loads))
        }
        tasks.append(await request("visible", .visible, from: queue, loads))
        tasks.append(await request("raised", .visible, from: queue, loads))
        let withdrawn = await request("lowered", .visible, from: queue, loads)
        withdrawn.cancel()
        _ = await withdrawn.value
        loads.gate.open()
        for task in tasks { _ = await task.value }
        #expect(loads.started == ["running", "visible", "raised", "lowered", "plain"])
    }

    @Test("no more loads run at the same time than the limit")
    func limit() async {
        let (queue, loads) = (Queue(limit: 3, cancelled: .cancelled), Loads())
        var tasks: [Task<Result<Int, Failure>, Never>] = []
        for number in 0..<20 { tasks.append(await request("\(number)", .visible, from: queue, loads)) }
        while loads.started.count < 3 { await Task.yield() }
        loads.gate.open()
        for task in tasks { _ = await task.value }
        #expect(loads.log.withLock { $0.mostRunning } == 3)
        #expect(Set(loads.started).count == 20 && loads.started.count == 20)
    }

    @Test("a request that follows a cancelled load waits for its end, then loads again")
    func afterCancellation() async {
        let (queue, ending) = (Queue(limit: 2, cancelled: .cancelled), Gate())
        let running = Mutex((now: 0, most: 0, loads: 0))
        // Like a file that is being written, it cannot be left at once.
        let slowToEnd: Queue.Load = { () async throws(Failure) in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.loads + 1) }
            await Task { await ending.wait() }.value
            running.withLock { $0.now -= 1 }
            if Task.isCancelled { throw .cancelled }
            return 5
        }
        let first = Task { try? await queue.value(for: "a", priority: .visible, slowToEnd) }
        while running.withLock({ $0.now == 0 }) { await Task.yield() }
        first.cancel()
        #expect(await first.value == nil)
        let second = Task { try? await queue.value(for: "a", priority: .prefetch, slowToEnd) }
        while queue.requestCount(for: "a") == 0 { await Task.yield() }
        #expect(running.withLock { $0.loads } == 1)
        ending.open()
        #expect(await second.value == 5)
        #expect(running.withLock { $0 } == (now: 0, most: 1, loads: 2))
    }

    @Test("prefetching leaves a third of the loads to visible requests")
    func prefetchLimit() async {
        let (queue, loads) = (Queue(limit: 6, cancelled: .cancelled), Loads())
        var tasks: [Task<Result<Int, Failure>, Never>] = []
        for number in 0..<9 { tasks.append(await request("p\(number)", .prefetch, from: queue, loads)) }
        for number in 0..<2 { tasks.append(await request("v\(number)", .visible, from: queue, loads)) }
        while loads.started.count < 6 { await Task.yield() }
        #expect(Set(loads.started) == ["p0", "p1", "p2", "p3", "v0", "v1"])
        loads.gate.open()
        for task in tasks { _ = await task.value }
        #expect(loads.started.count == 11)
    }
}
