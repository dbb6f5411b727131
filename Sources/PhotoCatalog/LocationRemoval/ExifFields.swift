/// The EXIF fields that remain in a shared copy (Exif 2.32 section 4.6): what programs need to show the picture, its
/// date, and the camera with its settings. Serial numbers, names and texts are not among them.
enum ExifFields {
    /// The types and the maximum number of a field's values.
    enum Form {
        case text(Int)
        case date(Int)
        case number(Int)
        case fraction(Int)
        case bytes(Int)

        func allows(_ type: UInt16, _ count: Int) -> Bool {
            switch self {
            case .text(let limit), .date(let limit): type == 2 && count <= limit
            case .number(let limit): (type == 3 || type == 4) && count <= limit
            case .fraction(let limit): (type == 5 || type == 10) && count <= limit
            case .bytes(let limit): (type == 7 || type == 1 || type == 2) && count <= limit
            }
        }

        var isDate: Bool { if case .date = self { true } else { false } }
    }

    static func isDateByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || [0, 32, 43, 45, 46, 58, 84, 90].contains(byte)
    }

    static let image: [UInt16: Form] = [
        0x0100: .number(1), 0x0101: .number(1),  // width, height
        0x010f: .text(128), 0x0110: .text(128),  // make, model
        0x0112: .number(1),  // orientation
        0x011a: .fraction(1), 0x011b: .fraction(1), 0x0128: .number(1),  // resolution
        0x0132: .date(32),
        0x0213: .number(1),  // position of chroma samples
    ]

    static let photo: [UInt16: Form] = [
        0x829a: .fraction(1), 0x829d: .fraction(1),  // exposure time, f-number
        0x8822: .number(1), 0x8827: .number(4), 0x8830: .number(1), 0x8831: .number(1), 0x8832: .number(1),
        0x9000: .bytes(4),  // version
        0x9003: .date(32), 0x9004: .date(32), 0x9010: .date(16), 0x9011: .date(16), 0x9012: .date(16),
        0x9101: .bytes(4), 0x9102: .fraction(1),  // components, compression
        0x9201: .fraction(1), 0x9202: .fraction(1), 0x9203: .fraction(1), 0x9204: .fraction(1), 0x9205: .fraction(1),
        0x9206: .fraction(1), 0x9207: .number(1), 0x9208: .number(1), 0x9209: .number(1), 0x920a: .fraction(1),
        0x9290: .date(16), 0x9291: .date(16), 0x9292: .date(16),  // fractions of seconds
        0xa000: .bytes(4), 0xa001: .number(1), 0xa002: .number(1), 0xa003: .number(1),
        0xa20e: .fraction(1), 0xa20f: .fraction(1), 0xa210: .number(1), 0xa215: .fraction(1), 0xa217: .number(1),
        0xa300: .bytes(1), 0xa301: .bytes(1), 0xa401: .number(1), 0xa402: .number(1), 0xa403: .number(1),
        0xa404: .fraction(1), 0xa405: .number(1), 0xa406: .number(1), 0xa407: .number(1), 0xa408: .number(1),
        0xa409: .number(1), 0xa40a: .number(1), 0xa40c: .number(1),
        0xa432: .fraction(4), 0xa433: .text(128), 0xa434: .text(128),  // lens
        0xa460: .number(1),
    ]

    static let interoperability: [UInt16: Form] = [0x0001: .text(4), 0x0002: .bytes(4)]
}
