/// The largest JPEG that a camera stored in a RAW file: as a folder of a TIFF structure, where Fujifilm's header says, or
/// in Canon's CR3, Sigma's X3F and Olympus's ORF anywhere.
struct EmbeddedJPEG {
    let bytes: UnsafeRawBufferPointer
    /// The EXIF orientation of the RAW file, 1 to 8.
    let orientation: Int

    /// The number of folders of a TIFF structure that are searched.
    private static let maximumFolders = 32
    /// The number of entries of a folder that are read. Cameras write fewer than 100.
    fileprivate static let maximumEntries = 1024
    /// The number of beginnings of a JPEG that are examined in a file that is searched.
    private static let maximumBeginnings = 4096
    /// The number of bytes at the beginning of a CR3 file in which its first metadata box is searched.
    private static let metadataLength = 64 << 10
    /// The number of segments before the frame of a JPEG.
    private static let maximumSegments = 1024

    /// Returns the JPEG with the most pixels that is complete in the file; `nil` if there is none.
    static func largest(in file: UnsafeRawBufferPointer) -> EmbeddedJPEG? {
        if file.starts(with: "FUJIFILMCCD-RAW".utf8) {
            let header = TIFFReader(bytes: file, isBigEndian: true)
            guard let offset = header.long(at: 84), let length = header.long(at: 88),
                let jpeg = slice(of: file, offset, length), pixels(of: jpeg) != nil
            else { return nil }
            return EmbeddedJPEG(bytes: jpeg, orientation: 1)
        }
        if file.count > 12, file[4..<12].elementsEqual("ftypcrx ".utf8) {
            return search(file).map { EmbeddedJPEG(bytes: $0, orientation: turnOfCR3(file)) }
        }
        if file.starts(with: "FOVb".utf8) {
            let turns = [90: 6, 180: 3, 270: 8]
            let degrees = TIFFReader(bytes: file, isBigEndian: false).long(at: 36) ?? 0
            return search(file).map { EmbeddedJPEG(bytes: $0, orientation: turns[degrees] ?? 1) }
        }
        guard let reader = TIFFReader(file), let first = reader.long(at: 4) else { return nil }
        var (folders, seen, orientation) = ([first], Set<Int>(), 1)
        var best: (jpeg: UnsafeRawBufferPointer, pixels: Int)?
        while let offset = folders.popLast(), seen.count < maximumFolders {
            guard offset > 0, seen.insert(offset).inserted, let folder = reader.folder(at: offset) else { continue }
            if offset == first, let value = folder.values[0x0112]?.first, (1...8).contains(value) {
                orientation = value
            }
            folders += folder.values[0x014a] ?? []
            if let next = folder.next { folders.append(next) }
            for (offset, length) in folder.jpegs {
                guard let jpeg = slice(of: file, offset, length), let pixels = pixels(of: jpeg) else { continue }
                if pixels > best?.pixels ?? 0 { best = (jpeg, pixels) }
            }
        }
        // Olympus's is in the maker note.
        let found = best?.jpeg ?? (reader.isOlympus ? search(file) : nil)
        return found.map { EmbeddedJPEG(bytes: $0, orientation: orientation) }
    }

    /// Returns the JPEG with the most pixels anywhere in a file, with what follows it.
    private static func search(_ file: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var best: (jpeg: UnsafeRawBufferPointer, pixels: Int)?
        var (offset, beginnings) = (1, 0)
        while beginnings < maximumBeginnings, offset < file.count,
            let start = file[offset...].firstIndex(of: 0xff), start + 4 <= file.count
        {
            offset = start + 1
            guard file[start + 1] == 0xd8, file[start + 2] == 0xff, file[start + 3] >= 0xc0 else { continue }
            beginnings += 1
            let jpeg = UnsafeRawBufferPointer(rebasing: file[start...])
            guard let pixels = pixels(of: jpeg), pixels > best?.pixels ?? 0 else { continue }
            best = (jpeg, pixels)
        }
        return best?.jpeg
    }

    /// Returns the orientation in the TIFF structure of the box `CMT1`; 1 if there is none.
    private static func turnOfCR3(_ file: UnsafeRawBufferPointer) -> Int {
        let head = UnsafeRawBufferPointer(rebasing: file.prefix(metadataLength))
        let name = Array("CMT1".utf8)
        guard head.count > 12,
            let start = (0..<head.count - 12).first(where: {
                head[$0] == name[0] && head[$0..<$0 + 4].elementsEqual(name)
            }),
            let reader = TIFFReader(UnsafeRawBufferPointer(rebasing: head[(start + 4)...])),
            let value = reader.long(at: 4).flatMap(reader.folder)?.values[0x0112]?.first, (1...8).contains(value)
        else { return 1 }
        return value
    }

    private static func slice(
        of file: UnsafeRawBufferPointer, _ offset: Int, _ length: Int
    ) -> UnsafeRawBufferPointer? {
        guard offset > 0, length > 0, offset <= file.count, length <= file.count - offset else { return nil }
        return UnsafeRawBufferPointer(rebasing: file[offset..<offset + length])
    }

    /// Returns the number of pixels of a JPEG; `nil` for other data, and for a lossless JPEG, which has sensor data
    /// (ITU T.81 sections B.1.1.3 and B.2.2).
    private static func pixels(of jpeg: UnsafeRawBufferPointer) -> Int? {
        let reader = TIFFReader(bytes: jpeg, isBigEndian: true)
        guard reader.short(at: 0) == 0xffd8 else { return nil }
        var offset = 2
        for _ in 1...maximumSegments {
            guard let marker = reader.short(at: offset), marker > 0xff00, marker != 0xffda,
                let length = reader.short(at: offset + 2), length >= 2
            else { return nil }
            if [0xffc0, 0xffc1, 0xffc2].contains(marker) {
                guard let height = reader.short(at: offset + 5), let width = reader.short(at: offset + 7) else {
                    return nil
                }
                return width * height
            }
            // Another frame header: lossless, hierarchical or arithmetic coding.
            if (0xffc3...0xffcf).contains(marker), ![0xffc4, 0xffc8, 0xffcc].contains(marker) { return nil }
            offset += 2 + length
        }
        return nil
    }
}

/// Reads numbers and folders of a TIFF structure (TIFF 6.0 section 2). Every read outside of the bytes is `nil`.
private struct TIFFReader {
    let bytes: UnsafeRawBufferPointer
    let isBigEndian: Bool
    private(set) var isOlympus = false

    init(bytes: UnsafeRawBufferPointer, isBigEndian: Bool) {
        self.bytes = bytes
        self.isBigEndian = isBigEndian
    }

    /// Returns `nil` unless the bytes begin with a byte order and the number of TIFF, Panasonic's or Olympus's.
    init?(_ bytes: UnsafeRawBufferPointer) {
        self.init(bytes: bytes, isBigEndian: bytes.first == UInt8(ascii: "M"))
        guard bytes.starts(with: "II".utf8) || bytes.starts(with: "MM".utf8), let number = short(at: 2) else {
            return nil
        }
        isOlympus = number == 0x4f52 || number == 0x5352
        guard number == 42 || number == 0x55 || isOlympus else { return nil }
    }

    /// The values of a folder that matter here.
    struct Folder {
        var values: [Int: [Int]] = [:]
        var next: Int?

        /// The offsets and lengths of what may be JPEGs.
        var jpegs: [(offset: Int, length: Int)] {
            func pair(_ offset: Int, _ length: Int) -> [(Int, Int)] {
                guard let offsets = values[offset], let lengths = values[length], offsets.count == 1, lengths.count == 1
                else { return [] }
                return [(offsets[0], lengths[0])]
            }
            // JPEGInterchangeFormat; the single strip of a folder with JPEG compression; JpgFromRaw of Panasonic.
            let isJPEG = values[0x0103]?.first.map { $0 == 6 || $0 == 7 } ?? false
            return pair(0x0201, 0x0202) + (isJPEG ? pair(0x0111, 0x0117) : []) + pair(0x2e00, 0x2e01)
        }
    }

    private static let wanted: Set<Int> = [0x0103, 0x0111, 0x0112, 0x0117, 0x014a, 0x0201, 0x0202]
    /// The number of values of an entry that are read.
    private static let maximumValues = 16

    func folder(at offset: Int) -> Folder? {
        guard let count = short(at: offset) else { return nil }
        var folder = Folder()
        for entry in 0..<min(count, EmbeddedJPEG.maximumEntries) {
            let start = offset + 2 + entry * 12
            guard let tag = short(at: start), let type = short(at: start + 2), let values = long(at: start + 4) else {
                return folder
            }
            if tag == 0x002e, type == 7 {
                folder.values[0x2e00] = long(at: start + 8).map { [$0] }
                folder.values[0x2e01] = [values]
            }
            guard Self.wanted.contains(tag), type == 3 || type == 4, values > 0 else { continue }
            let size = type == 3 ? 2 : 4
            guard let first = values * size <= 4 ? start + 8 : long(at: start + 8) else { continue }
            folder.values[tag] = (0..<min(values, Self.maximumValues)).compactMap { index in
                size == 2 ? short(at: first + index * 2) : long(at: first + index * 4)
            }
            // More strips than were read are no single JPEG.
            if values > Self.maximumValues { folder.values[tag]?.append(0) }
        }
        folder.next = long(at: offset + 2 + count * 12)
        return folder
    }

    func short(at offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        let (first, second) = (Int(bytes[offset]), Int(bytes[offset + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
    }

    func long(at offset: Int) -> Int? {
        guard let first = short(at: offset), let second = short(at: offset + 2) else { return nil }
        return isBigEndian ? first << 16 | second : second << 16 | first
    }
}
