import Synchronization

/// Values that were used last, as many as fit into a limit.
final class RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Kept {
        let value: Value
        let cost: Int
        var lastUse: UInt64
    }

    private struct State {
        var kept: [Key: Kept] = [:]
        var cost = 0
        var uses: UInt64 = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: of all values' costs together.
    init(limit: Int) { self.limit = limit }

    subscript(_ key: Key) -> Value? {
        state.withLock { state in
            guard let kept = state.kept[key] else { return nil }
            state.uses += 1
            state.kept[key]?.lastUse = state.uses
            return kept.value
        }
    }

    /// Keeps a value in place of the key's last one, and lets those go that were not used for longest.
    func insert(_ value: Value, for key: Key, cost: Int) {
        state.withLock { state in
            state.uses += 1
            let kept = Kept(value: value, cost: cost, lastUse: state.uses)
            state.cost += cost - (state.kept.updateValue(kept, forKey: key)?.cost ?? 0)
            while state.cost > limit, let oldest = state.kept.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                state.kept[oldest.key] = nil
                state.cost -= oldest.value.cost
            }
        }
    }
}
