import ObjectStorage

/// The part boundaries of a multipart object, stored as attributes of the object. Parts are numbered from 1 in their
/// order, regardless of their numbers in the upload.
struct PartLayout: Sendable, Equatable {
    /// The prefix of attributes that are charged and stored with header fields but never returned as such.
    static let attributePrefix = "x-photolala-"
    private static let sizesAttribute = "\(attributePrefix)parts"
    private static let checksumsAttribute = "\(attributePrefix)part-checksums"

    /// The lengths in bytes.
    let sizes: [Int64]
    /// The parts' checksums in base64 if the object's is composite, otherwise empty.
    let checksums: [String]

    init(sizes: [Int64], checksums: [String] = []) {
        self.sizes = sizes
        self.checksums = checksums
    }

    /// Reads the layout of an object; `nil` for a non-multipart object, or one written before layouts were stored.
    init?(_ info: ObjectInfo) {
        guard let text = info.attributes[Self.sizesAttribute], let sizes = Self.sizes(in: text),
            sizes.reduce(0, &+) == info.size
        else { return nil }
        let checksums = info.attributes[Self.checksumsAttribute]?.split(separator: ",").map { String($0) } ?? []
        self.init(sizes: sizes, checksums: checksums.count == sizes.count ? checksums : [])
    }

    /// The attributes to store: sizes as `count*size`, which is short for the equal parts that clients send.
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

    /// Returns the offsets of a part's bytes; `nil` if there is no such part.
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
