/// The values that were used last, in bounded memory: two generations, of which the recent one replaces the previous one
/// when it is full. Inlinable, because other modules use it in every request.
package struct RecentValues<Key: Hashable, Value> {
    /// The number of values in a generation.
    @usableFromInline let capacity: Int
    @usableFromInline var recent: [Key: Value] = [:]
    @usableFromInline var previous: [Key: Value] = [:]

    @inlinable
    package init(capacity: Int) { self.capacity = capacity }

    /// Returns a value and keeps it for another generation.
    @inlinable
    package mutating func value(_ key: Key) -> Value? {
        if let found = recent[key] { return found }
        guard let found = previous[key] else { return nil }
        insert(found, at: key)
        return found
    }

    /// Adds or replaces a value.
    @inlinable
    package mutating func insert(_ value: Value, at key: Key) {
        if recent.count >= capacity, recent[key] == nil {
            previous = recent
            recent = [:]
        }
        recent[key] = value
    }
}
