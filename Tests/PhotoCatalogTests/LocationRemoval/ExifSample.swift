/// Builds EXIF blocks of any structure in either byte order.
struct ExifSample {
    indirect enum Value {
        case text(String)
        case short(Int)
        case long(Int)
        case fractions([Int])
        case bytes([UInt8])
        case directory([Int: Value])
    }

    typealias Fields = [Int: Value]

    private let isBig: Bool
    private(set) var bytes: [UInt8]

    init(_ fields: Fields, next: Fields = [:], isBig: Bool = true) {
        self.isBig = isBig
        bytes = Array((isBig ? "MM" : "II").utf8)
        bytes += number(42, 2) + number(8, 4)
        let end = add(fields)
        if !next.isEmpty {
            set(number(bytes.count, 4), at: end)
            add(next)
        }
    }

    private func number(_ value: Int, _ width: Int) -> [UInt8] {
        let big = width == 2 ? big16(value) : big32(value)
        return isBig ? big : big.reversed()
    }

    private mutating func set(_ part: [UInt8], at offset: Int) {
        bytes.replaceSubrange(offset..<offset + part.count, with: part)
    }

    /// Adds a directory and returns the offset of the link to the next one.
    @discardableResult
    private mutating func add(_ fields: Fields) -> Int {
        let start = bytes.count
        bytes += number(fields.count, 2) + [UInt8](repeating: 0, count: fields.count * 12 + 4)
        for (index, field) in fields.sorted(by: { $0.key < $1.key }).enumerated() {
            let (type, count, value): (Int, Int, [UInt8]) =
                switch field.value {
                case .text(let text): (2, text.utf8.count + 1, Array(text.utf8) + [0])
                case .short(let value): (3, 1, number(value, 2))
                case .long(let value): (4, 1, number(value, 4))
                case .fractions(let values): (5, values.count / 2, values.flatMap { number($0, 4) })
                case .bytes(let bytes): (7, bytes.count, bytes)
                case .directory: (4, 1, number(bytes.count, 4))
                }
            let entry = start + 2 + index * 12
            set(number(field.key, 2) + number(type, 2) + number(count, 4), at: entry)
            if case .directory(let fields) = field.value { add(fields) }
            let isLong = value.count > 4
            set(isLong ? number(bytes.count, 4) : value, at: entry + 8)
            if isLong { bytes += value }
        }
        return start + 2 + fields.count * 12
    }

    static let gps: Fields = [
        1: .text("N"), 2: .fractions([35, 1, 41, 1, 22, 1]), 27: .bytes(Array("ASCII\0\0\0\(secret)".utf8)),
    ]

    /// A block as phones write it, with secrets in every field that is removed.
    static func phone(isBig: Bool = true) -> [UInt8] {
        let photo: Fields = [
            0x829a: .fractions([1, 60]), 0x9003: .text("2024:05:01 12:30:45"), 0x9011: .text("+02:00"),
            0x927c: .bytes(Array("Apple iOS\0\(secret)".utf8)), 0x9286: .bytes(Array(secret.utf8)),
            0xa005: .directory([1: .text("R98")]), 0xa431: .text(secret),
        ]
        let image: Fields = [
            0x010e: .text(secret), 0x010f: .text("Apple"), 0x0112: .short(6), 0x013b: .text(secret),
            0x02bc: .bytes(Array(secret.utf8)), 0x8298: .text(secret), 0x83bb: .bytes(Array(secret.utf8)),
            0x8769: .directory(photo), 0x8825: .directory(gps), 0xc4a5: .bytes(Array(secret.utf8)),
        ]
        let thumbnail: Fields = [0x0103: .short(6), 0x0112: .short(6), 0x010e: .text(secret)]
        return ExifSample(image, next: thumbnail, isBig: isBig).bytes
    }

    /// A block whose directories link to what remains of `phone`.
    static func cleanPhone(isBig: Bool = true) -> [UInt8] {
        ExifRemovalTests.clean(phone(isBig: isBig))
    }
}
