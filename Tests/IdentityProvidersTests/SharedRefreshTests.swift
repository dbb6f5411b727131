import Testing

@testable import IdentityProviders

struct SharedRefreshTests {
    private let isDone = TestCounter()
    private let isLate = TestCounter()
    private let refreshes = TestCounter()

    private func shared(_ maximumWaiters: Int) -> SharedRefresh {
        SharedRefresh(maximumWaiters: maximumWaiters) { [isLate] _ in
            while isLate.value == 0 {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    private func run(_ shared: SharedRefresh, isOptional: Bool = false) async -> SharedRefresh.Outcome {
        await shared.run(waitingAtMost: .seconds(1), isOptional: isOptional) { [isDone, refreshes] in
            refreshes.increment()
            while isDone.value == 0 { await Task.yield() }
        }
    }

    @Test("a caller beyond the limit of waiters is refused")
    func count() async {
        let shared = shared(2)
        async let first = run(shared)
        async let second = run(shared)
        while shared.waiterCount < 2 { await Task.yield() }
        #expect(await run(shared) == .refused)
        isDone.increment()
        #expect(await [first, second] == [.ended, .ended])
        #expect(refreshes.value == 1)
    }

    @Test("a caller times out after its limit, and later optional callers do not wait")
    func time() async {
        let shared = shared(8)
        isLate.increment()
        #expect(await run(shared) == .timedOut)
        #expect(await run(shared, isOptional: true) == .timedOut)
        #expect(refreshes.value == 1)
        #expect(shared.waiterCount == 0)
        isDone.increment()
    }

    @Test("a cancelled caller stops waiting, and the refresh continues for the others")
    func cancellation() async {
        let shared = shared(8)
        let first = Task { await run(shared) }
        async let second = run(shared)
        while shared.waiterCount < 2 { await Task.yield() }
        first.cancel()
        #expect(await first.value == .timedOut)
        isDone.increment()
        #expect(await second == .ended)
    }
}
