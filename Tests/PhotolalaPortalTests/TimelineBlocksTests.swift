import PhotoCatalog
import PhotolalaAPI
import Testing

@testable import PhotolalaPortal

/// Splitting a timeline into blocks.
@Suite struct TimelineBlocksTests {
    /// Creates a timeline with the given numbers of photos per month, newest first.
    private func timeline(_ months: [Int]) throws -> Timeline {
        var entries: [CatalogEntry] = []
        for (month, count) in months.enumerated() {
            let start = try #require(
                Timestamp(year: 2020 - month / 12, month: 12 - month % 12, day: 2, hour: 0, minute: 0, second: 0))
            for index in 0..<count {
                let number = String(entries.count + 1, radix: 16)
                entries.append(
                    CatalogEntry(
                        path: try #require(LibraryPath("\(number).jpg")),
                        md5: try #require(ContentDigest(String(repeating: "0", count: 32 - number.count) + number)),
                        size: 1, modified: Timestamp(seconds: start.seconds + Int64(count - index), nanoseconds: 0),
                        type: .jpeg, media: MediaFacts()))
            }
        }
        return Timeline(Catalog(of: entries).entries)
    }

    @Test("a block has at most 120 photos of one month, and every photo is in exactly one block")
    func blocks() throws {
        let blocks = TimelineBlocks(try timeline([1, 300, 120, 5])).blocks
        #expect(blocks.map(\.photos.count) == [1, 120, 120, 60, 120, 5])
        #expect(blocks.map(\.month) == [0, 1, 1, 1, 2, 3])
        #expect(blocks.flatMap { Array($0.photos) } == Array(0..<426))
    }

    @Test("a page has at least one block and at most 120 photos, and pages link to each other")
    func pages() throws {
        let blocks = TimelineBlocks(try timeline([60, 60, 1, 300, 20]))
        var (starts, start) = ([Int](), 0)
        while start < blocks.blocks.count {
            starts.append(start)
            start = blocks.page(from: start).upperBound
        }
        #expect(starts == [0, 2, 3, 4, 5])
        #expect(blocks.start(before: 2) == 0 && blocks.start(before: 5) == 4 && blocks.start(before: 1) == 0)
        #expect(blocks.page(from: -5) == 0..<2 && blocks.page(from: 900) == 6..<7)
        #expect(TimelineBlocks(try timeline([])).page(from: 3).isEmpty)
        for photo in 0..<441 { #expect(blocks.blocks[blocks.block(of: photo)].photos.contains(photo)) }
    }

    @Test("successive months with few photos are one group of at most 120 photos, which a page has as a whole")
    func groups() throws {
        let blocks = TimelineBlocks(try timeline([2, 3, 20, 4, 5]))
        #expect(blocks.groups == [0..<2, 2..<3, 3..<5])
        #expect([0, 1, 2, 3, 4].map(blocks.isShort) == [true, true, false, true, true])
        #expect(blocks.group(with: 4) == 3..<5 && blocks.page(from: 4) == 3..<5 && blocks.start(before: 4) == 0)
        let years = TimelineBlocks(try timeline([Int](repeating: 5, count: 30)))
        #expect(years.groups == [0..<24, 24..<30] && years.page(from: 3) == 0..<24)
        #expect(TimelineBlocks(try timeline([20, 9]), hasMonths: false).groups == [0..<2])
    }

    @Test("removing the only photo of a block moves the later blocks up by one")
    func without() throws {
        let blocks = TimelineBlocks(try timeline([1, 1, 130]))
        #expect(blocks.block(of: 2, without: 1) == 1 && blocks.block(of: 1, without: 0) == 0)
        #expect(blocks.block(of: 122, without: 121) == 3 && blocks.block(of: 0, without: 1) == 0)
    }
}
