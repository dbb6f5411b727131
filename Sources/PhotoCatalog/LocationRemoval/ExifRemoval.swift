import NIOCore

/// Removes everything from an EXIF block (a TIFF structure) but a list of harmless fields. The directories become
/// shorter at the same offsets. The second directory, which has the thumbnail, is removed, because a thumbnail may
/// have its own EXIF.
enum ExifRemoval {
    /// The longest block that is cleaned, in bytes. Longer ones are removed.
    static let limit = 4 << 20

    private enum Tag {
        static let exifDirectory: UInt16 = 0x8769
        static let gpsDirectory: UInt16 = 0x8825
        static let interoperability: UInt16 = 0xa005
        static let thumbnail: UInt16 = 0x0201
        static let thumbnailLength: UInt16 = 0x0202
    }

    /// Returns the cleaned block, of the same length; all zeros if it is malformed.
    static func clean(_ block: [UInt8]) -> [UInt8] {
        cleaned(ByteWindow(ByteBuffer(bytes: block))) ?? [UInt8](repeating: 0, count: block.count)
    }

    private static func cleaned(_ block: ByteWindow) -> [UInt8]? {
        let order: Endianness = block.has("MM") ? .big : .little
        guard block.has("II") || block.has("MM"), block.uint16(at: 2, order) == 42,
            let start = block.uint32(at: 4, order), let first = ExifDirectory(at: Int(start), in: block, order)
        else { return nil }
        func directory(_ tag: UInt16, of parent: ExifDirectory?) -> ExifDirectory? {
            parent?.number(tag).flatMap { ExifDirectory(at: $0, in: block, order) }
        }
        let exif = directory(Tag.exifDirectory, of: first)
        let interoperability = directory(Tag.interoperability, of: exif)
        var removed: [Range<Int>] = []
        for folder in [directory(Tag.gpsDirectory, of: first), ExifDirectory(at: first.next, in: block, order)] {
            guard let folder else { continue }
            removed.append(folder.range)
            removed += folder.entries.compactMap(\.values)
            if let start = folder.number(Tag.thumbnail), let length = folder.number(Tag.thumbnailLength),
                start < block.count
            {
                removed.append(start..<min(start + length, block.count))
            }
        }
        var writer = ExifWriter(block, order, removed: removed)
        let folders = [
            (first, ExifFields.image), (exif, ExifFields.photo), (interoperability, ExifFields.interoperability),
        ]
        for case (let folder?, let fields) in folders { writer.exclude(folder, keeping: fields) }
        let hasInteroperability = writer.write(interoperability, ExifFields.interoperability, pointers: [])
        let hasPhoto = writer.write(
            exif, ExifFields.photo, pointers: hasInteroperability ? [Tag.interoperability] : [])
        guard writer.write(first, ExifFields.image, pointers: hasPhoto ? [Tag.exifDirectory] : []) else { return nil }
        return writer.clean
    }
}

/// A directory of an EXIF block, of at most 512 entries.
private struct ExifDirectory {
    struct Entry {
        let tag: UInt16
        let type: UInt16
        let count: Int
        let offset: Int
        /// The range of values that are not in the entry, as far as it is in the block.
        let values: Range<Int>?
        /// Whether all values are in the block.
        let isComplete: Bool
    }

    let range: Range<Int>
    let entries: [Entry]
    /// The offset of the next directory; 0 if there is none.
    let next: Int
    private let block: ByteWindow
    private let order: Endianness

    init?(at start: Int, in block: ByteWindow, _ order: Endianness) {
        guard start >= 8, let count = block.uint16(at: start, order), (1...512).contains(count),
            start + 2 + Int(count) * 12 <= block.count
        else { return nil }
        let end = start + 2 + Int(count) * 12
        (self.block, self.order) = (block, order)
        next = block.uint32(at: end, order).map { Int($0) } ?? 0
        range = start..<min(end + 4, block.count)
        entries = (0..<Int(count)).compactMap { Self.entry(at: start + 2 + $0 * 12, in: block, order) }
    }

    private static func entry(at offset: Int, in block: ByteWindow, _ order: Endianness) -> Entry? {
        guard let tag = block.uint16(at: offset, order), let type = block.uint16(at: offset + 2, order),
            let count = block.uint32(at: offset + 4, order), let value = block.uint32(at: offset + 8, order)
        else { return nil }
        let widths: [UInt16: Int] = [3: 2, 4: 4, 5: 8, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4]
        let length = Int(count) * (widths[type] ?? 1)
        let values = length <= 4 ? nil : min(Int(value), block.count)..<min(Int(value) + length, block.count)
        return Entry(
            tag: tag, type: type, count: Int(count), offset: offset, values: values,
            isComplete: values.map { $0.count == length && $0.lowerBound >= 8 } ?? true)
    }

    func number(_ tag: UInt16) -> Int? {
        guard let entry = entries.first(where: { $0.tag == tag }), entry.count == 1 else { return nil }
        switch entry.type {
        case 3: return block.uint16(at: entry.offset + 8, order).map(Int.init)
        case 4, 13: return block.uint32(at: entry.offset + 8, order).map { Int($0) }
        default: return nil
        }
    }
}

/// Writes the kept fields into zeros.
private struct ExifWriter {
    private(set) var clean: [UInt8]
    private let block: ByteWindow
    private let source: [UInt8]
    private let order: Endianness
    /// Ranges that no kept value may share: removed values and all directories.
    private var removed: [Range<Int>]
    private var directories: [Range<Int>] = []

    init(_ block: ByteWindow, _ order: Endianness, removed: [Range<Int>]) {
        source = block.array
        clean = Array(source.prefix(8)) + [UInt8](repeating: 0, count: block.count - 8)
        (self.block, self.order, self.removed) = (block, order, removed)
    }

    mutating func exclude(_ directory: ExifDirectory, keeping fields: [UInt16: ExifFields.Form]) {
        removed.append(directory.range)
        for entry in directory.entries where fields[entry.tag]?.allows(entry.type, entry.count) != true {
            if let values = entry.values { removed.append(values) }
        }
    }

    /// Writes a directory with its allowed fields and the given pointers.
    /// - Returns: whether any field was written.
    mutating func write(
        _ directory: ExifDirectory?, _ fields: [UInt16: ExifFields.Form], pointers: Set<UInt16>
    ) -> Bool {
        guard let directory, !directories.contains(where: directory.range.overlaps) else { return false }
        var kept: [ExifDirectory.Entry] = []
        // Of several fields with one tag the first counts, which also bounds the time.
        var tags: Set<UInt16> = []
        for entry in directory.entries where tags.insert(entry.tag).inserted {
            if pointers.contains(entry.tag) || isKept(entry, fields) { kept.append(entry) }
        }
        guard !kept.isEmpty else { return false }
        directories.append(directory.range)
        let start = directory.range.lowerBound
        let count = [UInt8(kept.count >> 8), UInt8(kept.count & 255)]
        clean.replaceSubrange(start..<start + 2, with: order == .big ? count : count.reversed())
        for (index, entry) in kept.enumerated() {
            let target = start + 2 + index * 12
            clean.replaceSubrange(target..<target + 12, with: source[entry.offset..<entry.offset + 12])
            if let values = entry.values { clean.replaceSubrange(values, with: source[values]) }
        }
        return true
    }

    private func isKept(_ entry: ExifDirectory.Entry, _ fields: [UInt16: ExifFields.Form]) -> Bool {
        guard entry.isComplete, let form = fields[entry.tag], form.allows(entry.type, entry.count) else { return false }
        let values = entry.values ?? entry.offset + 8..<entry.offset + 12
        if entry.values != nil, removed.contains(where: values.overlaps) { return false }
        return !form.isDate || source[values].allSatisfy(ExifFields.isDateByte)
    }
}
