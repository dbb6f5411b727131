/// The values that were used last, in bounded memory: two generations, of which the recent one replaces the previous one
/// when it is full. Inlinable, because other modules use it in every request.
package struct RecentValues<Key: Hashable, Value> {
    /// The cost of a generation's values.
    @usableFromInline let capacity: Int
    @usableFromInline var cost = 0
    @usableFromInline var recent: [Key: (value: Value, cost: Int)] = [:]
    @usableFromInline var previous: [Key: (value: Value, cost: Int)] = [:]

    @inlinable
    package init(capacity: Int) { self.capacity = capacity }

    /// Returns a value and keeps it for another generation.
    @inlinable
    package mutating func value(_ key: Key) -> Value? {
        if let found = recent[key] { return found.value }
        guard let found = previous[key] else { return nil }
        insert(found.value, at: key, cost: found.cost)
        return found.value
    }

    /// Adds or replaces a value.
    /// - Parameter cost: Its share of the capacity.
    @inlinable
    package mutating func insert(_ value: Value, at key: Key, cost: Int = 1) {
        let change = cost - (recent[key]?.cost ?? 0)
        if self.cost + change > capacity, !recent.isEmpty {
            previous = recent
            recent = [:]
            self.cost = cost
        } else {
            self.cost += change
        }
        recent[key] = (value, cost)
    }

    /// Removes a value.
    @inlinable
    package mutating func remove(_ key: Key) {
        previous[key] = nil
        if let removed = recent.removeValue(forKey: key) { cost -= removed.cost }
    }

    @inlinable
    package mutating func removeAll() { (recent, previous, cost) = ([:], [:], 0) }
}
