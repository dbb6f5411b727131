/// A set of cities of a table.
package struct PlaceSet: Sendable, Equatable {
    private var bits: [UInt64]

    init(count: Int) { bits = [UInt64](repeating: 0, count: (count + 63) / 64) }

    package var isEmpty: Bool { bits.allSatisfy { $0 == 0 } }

    package func contains(_ city: Int) -> Bool {
        city >= 0 && city / 64 < bits.count && bits[city / 64] & 1 << UInt64(city % 64) != 0
    }

    mutating func insert(_ city: Int) { bits[city / 64] |= 1 << UInt64(city % 64) }

    mutating func formIntersection(_ other: PlaceSet) {
        for (index, word) in other.bits.enumerated() where index < bits.count { bits[index] &= word }
    }
}
