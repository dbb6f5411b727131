import Synchronization
import Testing

@testable import PhotoSync

@Suite struct FileWorkTests {
    /// Runs work in a task that has already been cancelled.
    private func runs(_ start: @escaping @Sendable (@escaping @Sendable () -> Void) async -> Void) async -> Bool {
        let (gate, count) = (AsyncStream<Void>.makeStream(), Counter())
        let task = Task {
            for await _ in gate.stream {}
            await start { count.value.withLock { $0 += 1 } }
        }
        task.cancel()
        gate.continuation.finish()
        await task.value
        return count.value.withLock { $0 } == 1
    }

    @Test func `a cancelled task starts no work, except what must happen`() async {
        #expect(await !runs { work in try? await FileWork.run { () throws(FileError) in work() } })
        #expect(await runs { work in try? await FileWork.runUncancelled { () throws(FileError) in work() } })
    }

    private final class Counter: Sendable {
        let value = Mutex(0)
    }
}
