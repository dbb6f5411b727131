import PhotoCatalog

/// A timeline in blocks, which a browser loads one at a time. No block spans two months.
struct TimelineBlocks: Sendable {
    struct Block: Sendable, Equatable {
        /// The index in the timeline's months.
        let month: Int
        let photos: Range<Int>
    }

    /// The largest number of photos in a block.
    static let size = 120

    let blocks: [Block]

    init(_ timeline: Timeline) {
        var blocks: [Block] = []
        for (month, photos) in timeline.months.map(\.photos).enumerated() {
            for start in stride(from: photos.lowerBound, to: photos.upperBound, by: Self.size) {
                blocks.append(Block(month: month, photos: start..<min(start + Self.size, photos.upperBound)))
            }
        }
        self.blocks = blocks
    }

    /// Returns the blocks of the page that starts with a given block: as many as hold one block's number of photos in
    /// total.
    func page(from first: Int) -> Range<Int> {
        let first = min(max(first, 0), max(blocks.count - 1, 0))
        var (end, photos) = (first, 0)
        while end < blocks.count, photos + blocks[end].photos.count <= Self.size || end == first {
            photos += blocks[end].photos.count
            end += 1
        }
        return first..<end
    }

    /// Returns the first block of the page that ends before a given block.
    func start(before first: Int) -> Int {
        var (start, photos) = (first, 0)
        while start > 0, photos + blocks[start - 1].photos.count <= Self.size || start == first {
            start -= 1
            photos += blocks[start].photos.count
        }
        return start
    }

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
}
