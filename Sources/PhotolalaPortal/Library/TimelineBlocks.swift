import PhotoLibrary

/// A timeline in pieces that are shown, and loaded by a browser, one by one. No piece has photos of two months.
struct TimelineBlocks: Sendable {
    struct Block: Sendable, Equatable {
        /// Place among the timeline's months.
        let month: Int
        let photos: Range<Int>
    }

    /// Photos in a block at most: whole rows, if a row has 3, 4, 5, 6, 8 or 10.
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

    /// The blocks of a page that begins with one: as many as have a block's photos together.
    func page(from first: Int) -> Range<Int> {
        let first = min(max(first, 0), max(blocks.count - 1, 0))
        var (end, photos) = (first, 0)
        while end < blocks.count, photos + blocks[end].photos.count <= Self.size || end == first {
            photos += blocks[end].photos.count
            end += 1
        }
        return first..<end
    }

    /// Where the page begins that ends before a block.
    func start(before first: Int) -> Int {
        var (start, photos) = (first, 0)
        while start > 0, photos + blocks[start - 1].photos.count <= Self.size || start == first {
            start -= 1
            photos += blocks[start].photos.count
        }
        return start
    }

    /// The block that has a photo.
    func block(of photo: Int) -> Int {
        var (low, high) = (0, blocks.count)
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].photos.upperBound <= photo { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The block that a photo will be in when another one is gone.
    func block(of photo: Int, without other: Int) -> Int {
        let (block, gone) = (block(of: photo), block(of: other))
        return gone < block && blocks[gone].photos.count == 1 ? block - 1 : block
    }
}
