import PhotoCatalog

/// A timeline in blocks, which a browser loads one at a time. No block spans two months. The blocks of successive months
/// with few photos share rows, and are loaded together.
struct TimelineBlocks: Sendable {
    struct Block: Sendable, Equatable {
        /// The index in the timeline's months.
        let month: Int
        let photos: Range<Int>
    }

    /// The largest number of photos in a block.
    static let size = 120

    let blocks: [Block]
    /// The blocks that share rows. All others have rows of their own.
    let groups: [Range<Int>]
    /// Whether the photos of each month share rows with those of the short months before and after it.
    private let shortMonths: [Bool]

    /// - Parameter hasMonths: Whether the timeline is long enough for months. Otherwise, all are short.
    init(_ timeline: Timeline, hasMonths: Bool = true) {
        shortMonths = timeline.months.map { month in
            !hasMonths
                || month.photos.count <= Self.mostInShortMonth
                    && timeline.shape(of: month.photos).proportions <= Self.shortMonthProportions
        }
        var blocks: [Block] = []
        for (month, photos) in timeline.months.map(\.photos).enumerated() {
            for start in stride(from: photos.lowerBound, to: photos.upperBound, by: Self.size) {
                blocks.append(Block(month: month, photos: start..<min(start + Self.size, photos.upperBound)))
            }
        }
        var groups: [Range<Int>] = []
        for (index, block) in blocks.enumerated() {
            if let last = groups.last, shortMonths[block.month], shortMonths[blocks[index - 1].month],
                block.photos.upperBound - blocks[last.lowerBound].photos.lowerBound <= Self.size
            {
                groups[groups.count - 1] = last.lowerBound..<index + 1
            } else {
                groups.append(index..<index + 1)
            }
        }
        (self.blocks, self.groups) = (blocks, groups)
    }

    /// Returns whether the photos of a month share rows with those of the short months before and after it.
    func isShort(_ month: Int) -> Bool { shortMonths[month] }

    /// Returns the index of the group that contains a block; that of the last one for larger numbers.
    private func group(of block: Int) -> Int {
        var (low, high) = (0, max(groups.count - 1, 0))
        while low < high {
            let middle = (low + high) / 2
            if groups[middle].upperBound <= block { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the blocks that share rows with a given block, and the block itself.
    func group(with block: Int) -> Range<Int> {
        groups.isEmpty ? 0..<0 : groups[group(of: block)]
    }

    /// Returns the blocks of the page that starts with the group of a given block: as many groups as hold one block's
    /// number of photos in total.
    func page(from first: Int) -> Range<Int> {
        let first = group(of: first)
        var (end, photos) = (first, 0)
        while end < groups.count, photos + self.photos(in: end) <= Self.size || end == first {
            photos += self.photos(in: end)
            end += 1
        }
        return groups.isEmpty ? 0..<0 : groups[first].lowerBound..<groups[end - 1].upperBound
    }

    /// Returns the first block of the page that ends before a given block.
    func start(before first: Int) -> Int {
        let first = group(of: first)
        var (start, photos) = (first, 0)
        while start > 0, photos + self.photos(in: start - 1) <= Self.size || start == first {
            start -= 1
            photos += self.photos(in: start)
        }
        return groups.isEmpty ? 0 : groups[start].lowerBound
    }

    private func photos(in group: Int) -> Int { blocks[groups[group]].reduce(0) { $0 + $1.photos.count } }

    /// Returns the block that contains a photo.
    func block(of photo: Int) -> Int {
        var (low, high) = (0, blocks.count)
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].photos.upperBound <= photo { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the block that will contain a photo once another photo is removed.
    func block(of photo: Int, without other: Int) -> Int {
        let (block, gone) = (block(of: photo), block(of: other))
        return gone < block && blocks[gone].photos.count == 1 ? block - 1 : block
    }

    /// The most photos of a month that shares rows, and the sum of their proportions: that of six usual photos.
    private static let (mostInShortMonth, shortMonthProportions) = (16, 8.0)
}
