import Synchronization

/// The proofs that this process has taken, for as long as their nonces are good. What is remembered has an upper bound,
/// and nothing is let go of before its time: where a window is full, the caller has to remember elsewhere.
final class UsedProofs: Sendable {
    enum Verdict {
        case fresh
        case used
        /// Its nonce is not taken any more.
        case late
        /// Not known here, and no room to remember it.
        case full
    }

    private let limit: Int
    private let windows = Mutex<[UInt32: Set<UInt128>]>([:])

    /// - Parameter limit: how many proofs of one window are remembered.
    init(limit: Int) { self.limit = limit }

    /// Takes a proof once. One lock, and a look into one set.
    /// - Parameter isGood: whether a window's nonce is still taken; what is known of other windows is dropped.
    func take(_ fingerprint: UInt128, of window: UInt32, isGood: (UInt32) -> Bool) -> Verdict {
        windows.withLock { windows in
            guard isGood(window) else { return .late }
            if windows[window] == nil {
                windows = windows.filter { isGood($0.key) }
                windows[window] = []
            }
            guard let count = windows[window]?.count, count < limit else {
                return windows[window]?.contains(fingerprint) == true ? .used : .full
            }
            return windows[window]?.insert(fingerprint).inserted == true ? .fresh : .used
        }
    }

    /// How many are remembered.
    var count: Int { windows.withLock { $0.values.reduce(0) { $0 + $1.count } } }
}
