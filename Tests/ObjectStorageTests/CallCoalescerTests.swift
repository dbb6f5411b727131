import ObjectStorage
import Synchronization
import Testing

/// Calls that arrive while another one is running are combined into one.
@Suite struct CallCoalescerTests {
    private struct Refused: Error {}

    /// Records the calls, and blocks the first one until it is opened.
    private final class GatedService: Sendable {
        let calls = Mutex<[[Int]]>([])
        private let gate = AsyncStream<Void>.makeStream()

        func open() { gate.continuation.finish() }

        func serve(_ items: [Int], failing call: Int? = nil) async throws(Refused) -> [Int] {
            let number = calls.withLock { calls in
                calls.append(items)
                return calls.count
            }
            if number == 1 { for await _ in gate.stream {} }
            if number == call { throw Refused() }
            return items.map { $0 * 10 }
        }
    }

    /// Starts one call, and the others while it is running.
    private func run(
        _ desk: GatedService, _ joined: CallCoalescer<String, Int, Int, Refused>, others: Int, failing call: Int? = nil
    ) async -> [Int?] {
        await withTaskGroup(of: (Int, Int?).self) { group in
            func ask(_ number: Int) {
                group.addTask {
                    let outcomes = try? await joined.call([number], for: "a") { (items) async throws(Refused) in
                        try await desk.serve(items, failing: call)
                    }
                    return (number, outcomes?.first)
                }
            }
            ask(0)
            while desk.calls.withLock({ $0.isEmpty }) { await Task.yield() }
            for number in 1...others { ask(number) }
            while joined.waiterCount(for: "a") < others { await Task.yield() }
            desk.open()
            var outcomes = [Int?](repeating: nil, count: others + 1)
            for await (number, outcome) in group { outcomes[number] = outcome }
            return outcomes
        }
    }

    @Test func `calls that arrive during another one are combined, each with its own outcome`() async {
        let (desk, joined) = (GatedService(), CallCoalescer<String, Int, Int, Refused>(maximumItems: 100))
        #expect(await run(desk, joined, others: 20) == (0...20).map { $0 * 10 })
        #expect(desk.calls.withLock { $0.map(\.count) } == [1, 20])
    }

    @Test func `a combined call has at most the maximum number of items`() async {
        let (desk, joined) = (GatedService(), CallCoalescer<String, Int, Int, Refused>(maximumItems: 8))
        #expect(await run(desk, joined, others: 20) == (0...20).map { $0 * 10 })
        #expect(desk.calls.withLock { $0.map(\.count) } == [1, 8, 8, 4])
    }

    @Test(arguments: [1, 2])
    func `a failed combined call fails for all of its callers and no others`(call: Int) async {
        let (desk, joined) = (GatedService(), CallCoalescer<String, Int, Int, Refused>(maximumItems: 100))
        let outcomes = await run(desk, joined, others: 5, failing: call)
        #expect(outcomes == (call == 1 ? [nil] + (1...5).map { $0 * 10 } : [0] + [Int?](repeating: nil, count: 5)))
    }

    @Test func `if the caller of a combined call is cancelled, the others repeat the call`() async {
        let (desk, joined) = (GatedService(), CallCoalescer<String, Int, Int, Refused>(maximumItems: 100))
        let outcomes = await withTaskGroup(of: [Int]?.self) { group in
            group.addTask {
                try? await joined.call([0], for: "a") { (items) async throws(Refused) in try await desk.serve(items) }
            }
            while desk.calls.withLock({ $0.isEmpty }) { await Task.yield() }
            let leader = Task {
                try? await joined.call([1], for: "a") { (_) async throws(Refused) in
                    while !Task.isCancelled { await Task.yield() }
                    throw Refused()
                }
            }
            while joined.waiterCount(for: "a") < 1 { await Task.yield() }
            group.addTask {
                try? await joined.call([2], for: "a") { (items) async throws(Refused) in try await desk.serve(items) }
            }
            while joined.waiterCount(for: "a") < 2 { await Task.yield() }
            desk.open()
            leader.cancel()
            #expect(await leader.value == nil)
            return await group.reduce(into: []) { all, outcome in all.append(outcome) }
        }
        #expect(Set(outcomes.compactMap { $0?.first }) == [0, 20])
    }

    @Test func `calls for other keys do not wait`() async {
        let joined = CallCoalescer<String, Int, Int, Refused>(maximumItems: 8)
        let outer = try? await joined.call([1], for: "a") { (items) async throws(Refused) in
            try await joined.call([2], for: "b") { (items) async throws(Refused) in items } + items
        }
        #expect(outer == [2])
    }
}
