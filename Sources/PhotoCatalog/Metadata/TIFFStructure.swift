import NIOCore

/// A TIFF structure (TIFF 6.0 section 2), the basis of EXIF and most RAW formats: directories of fields.
struct TIFFStructure {
    private enum Tag {
        static let subfileType: UInt16 = 0x00fe
        static let width: UInt16 = 0x0100
        static let height: UInt16 = 0x0101
        static let orientation: UInt16 = 0x0112
        static let subdirectories: UInt16 = 0x014a
        static let exifDirectory: UInt16 = 0x8769
    }

    /// The maximum number of directories read besides the first, so that a cyclic chain terminates.
    private static let maximumDirectories = 8

    private let bytes: ByteWindow
    private let order: Endianness
    /// The directory that the header refers to.
    let first: TIFFDirectory

    /// Returns `nil` if the bytes have no TIFF header.
    init?(_ bytes: ByteWindow) {
        order = bytes.has("MM") ? .big : .little
        guard bytes.has("II") || bytes.has("MM"), let start = bytes.uint32(at: 4, order) else { return nil }
        self.bytes = bytes
        first = TIFFDirectory(at: Int(start), in: bytes, order)
    }

    /// The directory with the camera's data about the photo.
    var exifDirectory: TIFFDirectory? { directory(Tag.exifDirectory) }

    /// Returns the directory that a field of the first directory refers to.
    func directory(_ tag: UInt16) -> TIFFDirectory? {
        first.number(tag).map { TIFFDirectory(at: $0, in: bytes, order) }
    }

    /// The orientation in the first directory, 1 to 8.
    var orientation: UInt8? {
        first.number(Tag.orientation).flatMap { (1...8).contains($0) ? UInt8($0) : nil }
    }

    /// The size of the largest picture in the file: RAW formats also contain previews, some of them in the first
    /// directory.
    var mainImage: PixelSize? {
        var starts = first.numbers(Tag.subdirectories, limit: Self.maximumDirectories)
        var folders = [first]
        var next = first.next
        while next != 0, folders.count < Self.maximumDirectories {
            folders.append(TIFFDirectory(at: next, in: bytes, order))
            next = folders.last?.next ?? 0
        }
        starts = starts.prefix(Self.maximumDirectories).filter { $0 != 0 }
        folders += starts.map { TIFFDirectory(at: $0, in: bytes, order) }
        let sizes = folders.compactMap { folder in
            PixelSize(folder.number(Tag.width), folder.number(Tag.height))
                .map { (size: $0, isReduced: folder.number(Tag.subfileType) == 1) }
        }
        let fullSize = sizes.filter { !$0.isReduced }
        return (fullSize.isEmpty ? sizes : fullSize).map(\.size).max { $0.area < $1.area }
    }
}

/// A directory of fields: texts of up to 64 bytes, and numbers. At most 512 fields are read.
struct TIFFDirectory {
    private enum Kind {
        static let text: UInt16 = 2
        static let short: UInt16 = 3
        static let long: UInt16 = 4
        static let fraction: UInt16 = 5
        static let directory: UInt16 = 13
    }

    private let bytes: ByteWindow
    private let order: Endianness
    /// The offset of each field by its tag; of several fields with the same tag the first counts.
    private var entries: [UInt16: Int] = [:]
    /// The offset of the next directory; 0 if this is the last.
    private(set) var next = 0

    init(at start: Int, in bytes: ByteWindow, _ order: Endianness) {
        self.bytes = bytes
        self.order = order
        guard let count = bytes.uint16(at: start, order).map({ min(Int($0), 512) }) else { return }
        for index in 0..<count {
            let entry = start + 2 + index * 12
            guard let tag = bytes.uint16(at: entry, order), bytes.uint32(at: entry + 8, order) != nil else { return }
            if entries[tag] == nil { entries[tag] = entry }
        }
        next = bytes.uint32(at: start + 2 + count * 12, order).map { Int($0) } ?? 0
    }

    func text(_ tag: UInt16) -> [UInt8]? {
        guard let (kind, length, offset) = field(tag), kind == Kind.text, length <= 64 else { return nil }
        return bytes.text(at: offset, count: length).map { $0.unicodeScalars.map { UInt8($0.value) } }
    }

    /// Returns the number of a field with exactly one number.
    func number(_ tag: UInt16) -> Int? {
        let all = numbers(tag, limit: 1)
        return all.count == 1 ? all[0] : nil
    }

    /// Returns the numbers of a field; empty if it has more than `limit`.
    func numbers(_ tag: UInt16, limit: Int) -> [Int] {
        guard let (kind, length, offset) = field(tag), length <= limit else { return [] }
        switch kind {
        case Kind.short: return (0..<length).compactMap { bytes.uint16(at: offset + $0 * 2, order).map(Int.init) }
        case Kind.long, Kind.directory:
            return (0..<length).compactMap { bytes.uint32(at: offset + $0 * 4, order).map(Int.init) }
        default: return []
        }
    }

    /// Returns up to three fractions of a field, as numerator and denominator; empty if it has more.
    func fractions(_ tag: UInt16) -> [(Int, Int)] {
        guard let (kind, length, offset) = field(tag), kind == Kind.fraction, length <= 3 else { return [] }
        return (0..<length).compactMap { index in
            guard let upper = bytes.uint32(at: offset + index * 8, order),
                let lower = bytes.uint32(at: offset + index * 8 + 4, order)
            else { return nil }
            return (Int(upper), Int(lower))
        }
    }

    /// Returns the type, the number of values and their offset: in the field itself if they need at most four bytes.
    private func field(_ tag: UInt16) -> (kind: UInt16, length: Int, offset: Int)? {
        guard let entry = entries[tag], let kind = bytes.uint16(at: entry + 2, order),
            let length = bytes.uint32(at: entry + 4, order), let value = bytes.uint32(at: entry + 8, order)
        else { return nil }
        let width =
            switch kind {
            case Kind.text: 1
            case Kind.short: 2
            case Kind.fraction: 8
            default: 4
            }
        return (kind, Int(length), Int(length) * width <= 4 ? entry + 8 : Int(value))
    }
}
