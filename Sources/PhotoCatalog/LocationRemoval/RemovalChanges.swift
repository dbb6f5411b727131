import NIOCore

/// Collects the changes to a file in any order.
struct RemovalChanges {
    /// The maximum number of changes of a plan.
    static let limit = 20_000
    /// The maximum number of ranges and replacements that are collected, before they are merged.
    private static let collectedLimit = 1 << 18
    /// The maximum number of replacement bytes.
    private static let replacementLimit = 1 << 20
    /// The maximum distance of differing bytes that become one change.
    private static let mergeDistance = 16

    private let size: Int64
    private var zeros: [Range<Int64>] = []
    private var replacements: [LocationRemoval.Change] = []
    private var replacementBytes = 0
    private var isInvalid = false

    init(size: Int64) { self.size = size }

    /// Replaces a range by zeros, except for the parts that `replace` changes.
    mutating func zero(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        if let last = zeros.last, last.upperBound == range.lowerBound {
            zeros[zeros.count - 1] = last.lowerBound..<range.upperBound
        } else {
            zeros.append(range)
        }
        isInvalid = isInvalid || zeros.count > Self.collectedLimit
        if isInvalid { zeros.removeAll() }
    }

    /// Replaces bytes at an offset. No two replacements may overlap.
    mutating func replace(at offset: Int64, with bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        replacementBytes += bytes.count
        isInvalid =
            isInvalid || replacementBytes > Self.replacementLimit || replacements.count >= Self.collectedLimit
            || offset < 0 || offset > size - Int64(bytes.count)
        guard !isInvalid else { return }
        replacements.append(.init(range: offset..<offset + Int64(bytes.count), replacement: bytes))
    }

    mutating func replace(at offset: Int64, with text: String) { replace(at: offset, with: Array(text.utf8)) }

    /// Replaces the bytes of `old` at an offset that differ from `new`, which has the same length.
    mutating func replace(_ old: [UInt8], with new: [UInt8], at offset: Int64) {
        var start: Int?
        var last = 0
        for index in new.indices where old[index] != new[index] {
            if let begin = start, index - last > Self.mergeDistance {
                replace(new[begin...last], at: offset)
                start = nil
            }
            start = start ?? index
            last = index
        }
        if let start { replace(new[start...last], at: offset) }
    }

    private mutating func replace(_ part: ArraySlice<UInt8>, at offset: Int64) {
        let start = offset + Int64(part.startIndex)
        if part.allSatisfy({ $0 == 0 }) {
            zero(start..<start + Int64(part.count))
        } else {
            replace(at: start, with: Array(part))
        }
    }

    /// Returns the changes in ascending order, merged.
    func sorted() throws -> [LocationRemoval.Change] {
        try require(!isInvalid)
        let replacements = replacements.sorted { $0.range.lowerBound < $1.range.lowerBound }
        try replacements.map(\.range).requireDisjoint()
        var changes: [LocationRemoval.Change] = []
        var next = 0
        for range in zeros.merged() {
            try require(range.lowerBound >= 0 && range.upperBound <= size)
            var start = range.lowerBound
            while next < replacements.count, replacements[next].range.lowerBound < range.upperBound {
                let replacement = replacements[next]
                if start < replacement.range.lowerBound {
                    changes.append(.init(range: start..<replacement.range.lowerBound, replacement: nil))
                }
                changes.append(replacement)
                start = Swift.max(start, replacement.range.upperBound)
                next += 1
            }
            if start < range.upperBound { changes.append(.init(range: start..<range.upperBound, replacement: nil)) }
            try require(changes.count <= Self.limit)
        }
        changes += replacements[next...]
        try require(changes.count <= Self.limit)
        return changes
    }
}

extension [Range<Int64>] {
    /// Returns the ranges in ascending order, with overlapping and adjacent ones merged.
    func merged() -> [Range<Int64>] {
        var merged: [Range<Int64>] = []
        for range in sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    /// Requires that no two ranges share a byte.
    func requireDisjoint() throws {
        let sorted = filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
        for (first, second) in zip(sorted, sorted.dropFirst()) {
            try require(first.upperBound <= second.lowerBound)
        }
    }

    /// Returns the parts of a range that are in none of these merged ranges.
    func gaps(in range: Range<Int64>) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var start = range.lowerBound
        for kept in self where kept.upperBound > range.lowerBound && kept.lowerBound < range.upperBound {
            if start < kept.lowerBound { gaps.append(start..<kept.lowerBound) }
            start = kept.upperBound
        }
        if start < range.upperBound { gaps.append(start..<range.upperBound) }
        return gaps
    }
}
