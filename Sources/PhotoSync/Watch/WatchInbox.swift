import Synchronization

/// The signals of a watched folder, collected until they are read.
package final class WatchInbox: Sendable {
    private struct State {
        var signals: [FolderSignal] = []
        var waker: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())

    package init() {}

    package func post(_ signal: FolderSignal) {
        state.withLock { state in
            // Repeated signals are merged into one.
            if state.signals.last != signal { state.signals.append(signal) }
            state.waker?.finish()
        }
    }

    /// Returns the signals since the last call.
    package func drain() -> [FolderSignal] {
        state.withLock { state in
            defer { state.signals = [] }
            return state.signals
        }
    }

    /// Waits for a signal, at most until `sleep` returns.
    package func wait(sleep: @escaping @Sendable () async -> Void) async {
        let (stream, waker) = AsyncStream<Void>.makeStream()
        state.withLock { state in
            state.waker = waker
            if !state.signals.isEmpty { waker.finish() }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in stream {} }
            group.addTask { await sleep() }
            await group.next()
            group.cancelAll()
        }
    }
}
