import ObjectStorage
import Synchronization

/// Holds writes that rely on the absence of a key while the accounts database is verified: with a damaged index a known
/// identity would appear to be new, and a spent token unspent.
final class CreationGate: Sendable {
    private enum State {
        case open
        case held([CheckedContinuation<Void, Never>])
        case closed(ObjectStoreError)
    }

    private let state = Mutex(State.open)
    /// Set while the gate is not open, so that an open one takes no lock.
    private let isHeld = Atomic<Bool>(false)

    /// Holds writes from now on, until `open` or `close`.
    func hold() {
        state.withLock { $0 = .held([]) }
        isHeld.store(true, ordering: .releasing)
    }

    /// Lets all writes pass.
    func open() {
        isHeld.store(false, ordering: .releasing)
        release(.open)
    }

    /// Refuses all writes.
    func close(_ error: ObjectStoreError) { release(.closed(error)) }

    /// Returns once writes may pass.
    func pass() async throws(ObjectStoreError) {
        guard isHeld.load(ordering: .acquiring) else { return }
        await withCheckedContinuation { continuation in
            let mayGoOn = state.withLock { state in
                guard case .held(var waiting) = state else { return true }
                waiting.append(continuation)
                state = .held(waiting)
                return false
            }
            if mayGoOn { continuation.resume() }
        }
        if case .closed(let error) = state.withLock({ $0 }) { throw error }
    }

    private func release(_ next: State) {
        let waiting = state.withLock { state in
            defer { state = next }
            return if case .held(let waiting) = state { waiting } else { [CheckedContinuation<Void, Never>]() }
        }
        for continuation in waiting { continuation.resume() }
    }
}
