/// Values that were used last, as many as fit into a limit.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Kept {
        let value: Value
        let cost: Int
        var lastUse: UInt64
    }

    private let limit: Int
    private var kept: [Key: Kept] = [:]
    private var cost = 0
    private var uses: UInt64 = 0

    /// - Parameter limit: of all values' costs together.
    init(limit: Int) { self.limit = limit }

    /// A value that is used now.
    mutating func value(for key: Key) -> Value? {
        guard let found = kept[key] else { return nil }
        uses += 1
        kept[key]?.lastUse = uses
        return found.value
    }

    /// Keeps a value in place of the key's last one, and lets those go that were not used for longest.
    mutating func insert(_ value: Value, for key: Key, cost: Int) {
        uses += 1
        let new = Kept(value: value, cost: cost, lastUse: uses)
        self.cost += cost - (kept.updateValue(new, forKey: key)?.cost ?? 0)
        while self.cost > limit, let oldest = kept.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            kept[oldest.key] = nil
            self.cost -= oldest.value.cost
        }
    }
}
