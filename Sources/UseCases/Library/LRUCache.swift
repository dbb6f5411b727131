/// A least-recently-used cache with a cost limit. Each call takes constant time on average.
struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let cost: Int
        var lastUse: UInt64
    }

    private struct Use {
        let key: Key
        let number: UInt64
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private var cost = 0
    private var uses: UInt64 = 0
    /// All uses since the last use of the oldest value, in order. An entry is current only if it is the last use of its
    /// value.
    private var order: [Use] = []
    /// Entries before this index are outdated.
    private var start = 0

    /// - Parameter limit: the limit for the total cost of all values.
    init(limit: Int) { self.limit = limit }

    /// Returns a value and marks it as used.
    mutating func value(for key: Key) -> Value? {
        guard let index = entries.index(forKey: key) else { return nil }
        let number = use(key)
        entries.values[index].lastUse = number
        return entries.values[index].value
    }

    /// Stores a value, replacing any value of the key, and evicts the least recently used values.
    mutating func insert(_ value: Value, for key: Key, cost: Int) {
        let new = Entry(value: value, cost: cost, lastUse: use(key))
        self.cost += cost - (entries.updateValue(new, forKey: key)?.cost ?? 0)
        while self.cost > limit, start < order.count {
            let oldest = order[start]
            start += 1
            guard let found = entries[oldest.key], found.lastUse == oldest.number else { continue }
            entries[oldest.key] = nil
            self.cost -= found.cost
        }
    }

    private mutating func use(_ key: Key) -> UInt64 {
        uses += 1
        order.append(Use(key: key, number: uses))
        if order.count > 2 * entries.count + 64 {
            order = order[start...].filter { use in use.number == uses || entries[use.key]?.lastUse == use.number }
            start = 0
        }
        return uses
    }
}
