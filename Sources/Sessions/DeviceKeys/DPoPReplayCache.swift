import Synchronization

/// The DPoP proofs that this process has consumed, until their nonces expire. The number is bounded, and no proof is
/// dropped early: if a window is full, the caller must record the proof elsewhere.
final class DPoPReplayCache: Sendable {
    enum Verdict {
        case fresh
        case used
        /// The proof's nonce is no longer accepted.
        case expired
        /// The proof is unknown and cannot be remembered.
        case full
    }

    private let capacity: Int
    private let windows = Mutex<[UInt32: Set<UInt128>]>([:])

    /// - Parameter limit: the largest number of proofs remembered per window.
    init(limit: Int) { self.capacity = limit }

    /// Consumes a proof once. One lock and one set look-up.
    /// - Parameter isGood: whether a window's nonce is still accepted; other windows are dropped.
    func consume(_ fingerprint: UInt128, of window: UInt32, isGood: (UInt32) -> Bool) -> Verdict {
        windows.withLock { windows in
            guard isGood(window) else { return .expired }
            if windows[window] == nil {
                windows = windows.filter { isGood($0.key) }
                windows[window] = []
            }
            guard let count = windows[window]?.count, count < capacity else {
                return windows[window]?.contains(fingerprint) == true ? .used : .full
            }
            return windows[window]?.insert(fingerprint).inserted == true ? .fresh : .used
        }
    }

    /// The number of remembered proofs.
    var count: Int { windows.withLock { $0.values.reduce(0) { $0 + $1.count } } }
}
