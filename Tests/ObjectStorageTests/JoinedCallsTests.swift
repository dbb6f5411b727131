import ObjectStorage
import Synchronization
import Testing

/// Who asks while another one's call goes on is asked for together with the others.
@Suite struct JoinedCallsTests {
    private struct Refused: Error {}

    /// The calls that were made, and a gate that holds the first.
    private final class Desk: Sendable {
        let calls = Mutex<[[Int]]>([])
        private let gate = AsyncStream<Void>.makeStream()

        func open() { gate.continuation.finish() }

        func serve(_ items: [Int], failsFirst: Bool = false) async throws -> [Int] {
            let isFirst = calls.withLock { calls in
                calls.append(items)
                return calls.count == 1
            }
            if isFirst { for await _ in gate.stream {} }
            if isFirst, failsFirst { throw Refused() }
            return items.map { $0 * 10 }
        }
    }

    /// Lets the first one call, and the others come while it does.
    private func run(
        _ desk: Desk, _ joined: JoinedCalls<String, Int, Int>, others: Int, failsFirst: Bool = false
    ) async -> [Int?] {
        await withTaskGroup(of: (Int, Int?).self) { group in
            func ask(_ number: Int) {
                group.addTask {
                    let outcomes = try? await joined.call([number], for: "a") {
                        try await desk.serve($0, failsFirst: failsFirst)
                    }
                    return (number, outcomes?.first)
                }
            }
            ask(0)
            while desk.calls.withLock({ $0.isEmpty }) { await Task.yield() }
            for number in 1...others { ask(number) }
            while joined.waiting(for: "a") < others { await Task.yield() }
            desk.open()
            var outcomes = [Int?](repeating: nil, count: others + 1)
            for await (number, outcome) in group { outcomes[number] = outcome }
            return outcomes
        }
    }

    @Test func `Those who come meanwhile are served by one call, each with its own outcome`() async {
        let (desk, joined) = (Desk(), JoinedCalls<String, Int, Int>(most: 100))
        #expect(await run(desk, joined, others: 20) == (0...20).map { $0 * 10 })
        #expect(desk.calls.withLock { $0.map(\.count) } == [1, 20])
    }

    @Test func `One call takes no more than it may`() async {
        let (desk, joined) = (Desk(), JoinedCalls<String, Int, Int>(most: 8))
        #expect(await run(desk, joined, others: 20) == (0...20).map { $0 * 10 })
        #expect(desk.calls.withLock { $0.map(\.count) } == [1, 8, 8, 4])
    }

    @Test func `A call that fails fails for the one who made it, and the others try themselves`() async {
        let (desk, joined) = (Desk(), JoinedCalls<String, Int, Int>(most: 100))
        let outcomes = await run(desk, joined, others: 5, failsFirst: true)
        #expect(outcomes == [nil] + (1...5).map { $0 * 10 })
    }

    @Test func `Other keys do not wait`() async {
        let joined = JoinedCalls<String, Int, Int>(most: 8)
        let outer = await joined.call([1], for: "a") { items in
            await joined.call([2], for: "b") { $0 } + items
        }
        #expect(outer == [2])
    }
}
