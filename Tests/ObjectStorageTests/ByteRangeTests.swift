import ObjectStorage
import Testing

@Suite("Byte ranges")
struct ByteRangeTests {
    @Test(
        "a satisfiable range resolves to offsets inside the object",
        arguments: [
            (nil, 0, 0..<0), (nil, 9, 0..<9), (.closed(first: 0, last: 8), 9, 0..<9),
            (.closed(first: 3, last: 3), 9, 3..<4),
            (.closed(first: 3, last: .max), 9, 3..<9), (.from(8), 9, 8..<9), (.suffix(4), 9, 5..<9),
            (.suffix(99), 9, 0..<9),
            (.from(0), .max, 0..<Int64.max), (.suffix(.max), .max, 0..<Int64.max),
        ] as [(ByteRange?, Int64, Range<Int64>)])
    func satisfiable(_ range: ByteRange?, _ size: Int64, _ offsets: Range<Int64>) {
        #expect(ByteRange.resolve(range, size: size) == offsets)
    }

    @Test(
        "a range outside the object is not satisfiable",
        arguments: [
            (.closed(first: 9, last: 9), 9), (.closed(first: 4, last: 3), 9), (.closed(first: -1, last: 3), 9),
            (.from(9), 9),
            (.from(-1), 9), (.from(0), 0), (.suffix(0), 9), (.suffix(-1), 9), (.suffix(1), 0), (.suffix(.min), 9),
        ] as [(ByteRange, Int64)])
    func unsatisfiable(_ range: ByteRange, _ size: Int64) { #expect(ByteRange.resolve(range, size: size) == nil) }
}
