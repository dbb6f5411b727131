import Synchronization

/// Signals of a watched folder, kept until somebody asks for them.
package final class WatchInbox: Sendable {
    private struct State {
        var signals: [FolderSignal] = []
        var waker: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())

    package init() {}

    package func post(_ signal: FolderSignal) {
        state.withLock { state in
            // A burst is one change, as far as anybody asks.
            if state.signals.last != signal { state.signals.append(signal) }
            state.waker?.finish()
        }
    }

    /// What was told since this was last asked.
    package func take() -> [FolderSignal] {
        state.withLock { state in
            defer { state.signals = [] }
            return state.signals
        }
    }

    /// Waits for a signal, but no longer than a sleep takes.
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
