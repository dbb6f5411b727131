/// A set of contents that devices change independently: for each content, the last change. Merging two sets is a join:
/// the change with the larger Lamport timestamp wins.
struct ContentSet: Sendable, Equatable {
    struct Register: Sendable, Equatable {
        var isMember: Bool
        var changed: LamportTimestamp

        /// Whether this change wins. Of two with the same timestamp, the one that adds the content wins.
        func wins(over other: Register) -> Bool {
            changed == other.changed ? isMember && !other.isMember : changed > other.changed
        }
    }

    private(set) var registers: [ContentDigest: Register] = [:]

    /// The contents in the set.
    var contents: Set<ContentDigest> { Set(registers.filter(\.value.isMember).keys) }

    /// The number of contents that are or were in the set.
    var count: Int { registers.count }

    /// The approximate size in memory, in bytes.
    var bytesInMemory: Int { registers.capacity * MemoryLayout<(ContentDigest, Register)>.stride }

    var highestCounter: UInt64 { registers.values.reduce(0) { max($0, $1.changed.counter) } }

    func contains(_ md5: ContentDigest) -> Bool { registers[md5]?.isMember ?? false }

    /// Adds or removes contents. Changes without an effect are not recorded.
    /// - Returns: The number of contents that changed.
    @discardableResult
    mutating func set(_ changes: [ContentDigest: Bool], at timestamp: LamportTimestamp) -> Int {
        var changed = 0
        for (md5, isMember) in changes where contains(md5) != isMember {
            registers[md5] = Register(isMember: isMember, changed: timestamp)
            changed += 1
        }
        return changed
    }

    /// Merges another set into this one. Associative, commutative and idempotent.
    mutating func join(_ other: ContentSet) {
        registers.merge(other.registers) { $1.wins(over: $0) ? $1 : $0 }
    }

    mutating func join(_ register: Register, of md5: ContentDigest) {
        if let known = registers[md5], !register.wins(over: known) { return }
        registers[md5] = register
    }

    mutating func reserveCapacity(_ count: Int) { registers.reserveCapacity(count) }
}
