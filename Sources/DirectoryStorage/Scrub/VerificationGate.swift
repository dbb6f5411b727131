import ObjectStorage
import Synchronization

/// Holds changes of the accounts database while it is verified: with a damaged index a known identity would appear to be
/// new, and a spent token unspent.
final class VerificationGate: Sendable {
    /// The largest number of changes that wait; others are refused.
    static let waitingLimit = 1000

    private enum State {
        case open
        case held([CheckedContinuation<Bool, Never>])
        case closed(ObjectStoreError)
    }

    private let state = Mutex(State.open)
    /// Set while the gate is not open, so that an open one takes no lock.
    private let isHeld = Atomic<Bool>(false)

    /// Holds changes from now on, until `open` or `close`.
    func hold() {
        state.withLock { $0 = .held([]) }
        isHeld.store(true, ordering: .releasing)
    }

    /// Lets all changes pass.
    func open() {
        isHeld.store(false, ordering: .releasing)
        release(.open)
    }

    /// Refuses all changes.
    func close(_ error: ObjectStoreError) { release(.closed(error)) }

    /// Returns once changes may pass.
    /// - Throws: `unavailable` if too many wait; the error of `close`.
    func pass() async throws(ObjectStoreError) {
        guard isHeld.load(ordering: .acquiring) else { return }
        let hasWaited = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            let answer: Bool? = state.withLock { state in
                guard case .held(var waiting) = state else { return true }
                guard waiting.count < Self.waitingLimit else { return false }
                waiting.append(continuation)
                state = .held(waiting)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
        guard hasWaited else { throw .unavailable("the accounts are being verified") }
        if case .closed(let error) = state.withLock({ $0 }) { throw error }
    }

    private func release(_ next: State) {
        let waiting = state.withLock { state in
            defer { state = next }
            return if case .held(let waiting) = state { waiting } else { [CheckedContinuation<Bool, Never>]() }
        }
        for continuation in waiting { continuation.resume(returning: true) }
    }
}
