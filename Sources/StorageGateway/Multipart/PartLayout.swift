import ObjectStorage

/// Where the parts of an object lie that was uploaded in parts, kept as attributes of the object. Parts count from 1 in
/// their order, whatever their numbers at the upload.
struct PartLayout: Sendable, Equatable {
    /// What is charged and stored beside header fields; never given out as one.
    static let attributePrefix = "x-photolala-"
    private static let sizesAttribute = "\(attributePrefix)parts"
    private static let checksumsAttribute = "\(attributePrefix)part-checksums"

    /// Lengths in bytes.
    let sizes: [Int64]
    /// The parts' checksums in base64, where the object's is composite; else empty.
    let checksums: [String]

    init(sizes: [Int64], checksums: [String] = []) {
        self.sizes = sizes
        self.checksums = checksums
    }

    /// Reads the layout of an object; `nil` for one that came in one piece, or before layouts were kept.
    init?(_ info: ObjectInfo) {
        guard let text = info.attributes[Self.sizesAttribute], let sizes = Self.sizes(in: text),
            sizes.reduce(0, &+) == info.size
        else { return nil }
        let checksums = info.attributes[Self.checksumsAttribute]?.split(separator: ",").map { String($0) } ?? []
        self.init(sizes: sizes, checksums: checksums.count == sizes.count ? checksums : [])
    }

    /// What is stored: sizes as `count*size`, which is short for the equal parts that clients send.
    var attributes: ObjectAttributes {
        var runs: [(count: Int, size: Int64)] = []
        for size in sizes {
            if let last = runs.last, last.size == size {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((1, size))
            }
        }
        var attributes = [Self.sizesAttribute: runs.map { "\($0.count)*\($0.size)" }.joined(separator: ",")]
        if !checksums.isEmpty { attributes[Self.checksumsAttribute] = checksums.joined(separator: ",") }
        return attributes
    }

    /// The offsets of a part's bytes; `nil` where there is no such part.
    func offsets(of number: Int) -> Range<Int64>? {
        guard (1...max(1, sizes.count)).contains(number), !sizes.isEmpty else { return nil }
        let start = sizes[..<(number - 1)].reduce(0, +)
        return start..<(start + sizes[number - 1])
    }

    private static func sizes(in text: String) -> [Int64]? {
        var sizes: [Int64] = []
        for run in text.split(separator: ",", omittingEmptySubsequences: false) {
            let numbers = run.split(separator: "*", omittingEmptySubsequences: false)
            guard numbers.count == 2, let count = Int(numbers[0]), let size = Int64(numbers[1]), size >= 0,
                count > 0, count <= 10_000 - sizes.count
            else { return nil }
            sizes.append(contentsOf: repeatElement(size, count: count))
        }
        return sizes
    }
}
