import NIOCore

/// Plans the changes to a HEIF, QuickTime or MP4 file (ISO/IEC 14496-12). Of the media data, only the bytes of known
/// images and of the samples of pictures and sound remain.
enum BoxedMediaRemoval {
    private static let boxLimit = 1024
    private static let mediaLimit = 32
    private static let movieLimit = 16 << 20
    private static let metaLimit = 8 << 20

    private struct FileBox {
        let kind: BoxKind
        let offset: Int64
        let payload: Range<Int64>
    }

    static func plan(_ file: inout RemovalReader, _ changes: inout RemovalChanges, isImage: Bool) async throws {
        var media: [Range<Int64>] = []
        var (movie, meta): (FileBox?, FileBox?)
        var hasType = false
        for box in try await boxes(of: &file, &changes) {
            switch box.kind {
            case "ftyp":
                try require(box.payload.count <= 4096 && !hasType)
                hasType = true
            case "mdat": media.append(box.payload)
            case "moov":
                try require(movie == nil)
                movie = box
            case "meta" where isImage:
                try require(meta == nil)
                meta = box
            // Fragments describe their samples themselves.
            case "moof", "mfra", "styp": throw UnknownStructure()
            default:
                if box.kind != "wide" || !box.payload.isEmpty { changes.replace(at: box.offset + 4, with: "free") }
                changes.zero(box.payload)
            }
        }
        try require(media.count <= mediaLimit)
        var use = MediaUse()
        if isImage {
            let meta = try known(meta)
            try require(hasType)
            let contents = try await file.contents(of: meta.payload, limit: metaLimit)
            let bytes = NestedBytes(bytes: ByteWindow(contents), offset: meta.payload.lowerBound)
            try await HEIFRemoval.plan(bytes, media: media, &file, &changes, &use)
        }
        if isImage == false || movie != nil {
            let movie = try known(movie)
            let contents = try await file.contents(of: movie.payload, limit: movieLimit)
            let bytes = NestedBytes(bytes: ByteWindow(contents), offset: movie.payload.lowerBound)
            try MovieRemoval.plan(bytes, isImage: isImage, &changes, &use)
        }
        let kept = try use.kept(in: media)
        for range in media { for gap in kept.gaps(in: range) { changes.zero(gap) } }
    }

    /// Returns the boxes of a file. Bytes behind the last box become zeros.
    private static func boxes(
        of file: inout RemovalReader, _ changes: inout RemovalChanges
    ) async throws -> [FileBox] {
        var boxes: [FileBox] = []
        var offset: Int64 = 0
        while offset < file.size {
            try require(boxes.count < boxLimit)
            guard let box = try await box(at: offset, &file) else {
                changes.zero(offset..<file.size)
                // A length of zero extends to the end of the file.
                if file.size - offset >= 8 { changes.replace(at: offset + 4, with: "free") }
                break
            }
            boxes.append(box)
            offset = box.payload.upperBound
        }
        return boxes
    }

    /// Returns `nil` if a trailer of another format is there.
    private static func box(at offset: Int64, _ file: inout RemovalReader) async throws -> FileBox? {
        let rest = file.size - offset
        guard rest >= 8 else { return nil }
        let head = try await file.window(at: offset, count: Int(min(rest, 16)))
        let kind = BoxKind(number: try known(head.uint32(at: 4, .big)))
        var (start, length) = (offset + 8, Int64(try known(head.uint32(at: 0, .big))))
        if length == 0 { length = rest }
        if length == 1 {
            guard let high = head.uint32(at: 8, .big), let low = head.uint32(at: 12, .big), high < 1 << 24 else {
                return nil
            }
            (start, length) = (offset + 16, Int64(high) << 32 | Int64(low))
        }
        guard length >= start - offset else { return nil }
        if length > rest {
            // The end of the media data may be missing.
            try require(!["ftyp", "moov", "meta", "moof"].contains(kind))
            guard kind == "mdat" else { return nil }
            length = rest
        }
        return FileBox(kind: kind, offset: offset, payload: start..<offset + length)
    }
}

/// The bytes of a box with their offset in the file.
struct NestedBytes {
    /// The maximum number of boxes at one level.
    private static let boxLimit = 1 << 14

    let bytes: ByteWindow
    let offset: Int64

    struct Box {
        let kind: BoxKind
        let contents: NestedBytes
        /// The offset of the box in the file.
        let start: Int64
    }

    var range: Range<Int64> { offset..<offset + Int64(bytes.count) }

    func part(from start: Int) throws -> NestedBytes {
        NestedBytes(
            bytes: try known(bytes.window(at: start, count: bytes.count - start)), offset: offset + Int64(start))
    }

    /// Returns the boxes that fill the bytes. Fewer than 8 bytes at the end, or more after a length of zero, become
    /// zeros.
    func boxes(_ changes: inout RemovalChanges) throws -> [Box] {
        var boxes: [Box] = []
        var position = 0
        while bytes.count - position >= 8, let length = bytes.uint32(at: position, .big), length != 0 {
            let kind = BoxKind(number: try known(bytes.uint32(at: position + 4, .big)))
            // Boxes in a movie or in the description of images are never so long that they need a wide length.
            try require(length >= 8 && boxes.count < Self.boxLimit)
            let payload = try known(bytes.window(at: position + 8, count: Int(length) - 8))
            let start = offset + Int64(position)
            boxes.append(Box(kind: kind, contents: NestedBytes(bytes: payload, offset: start + 8), start: start))
            position += Int(length)
        }
        changes.zero(offset + Int64(position)..<range.upperBound)
        return boxes
    }

    /// Replaces the bytes from a position on by zeros.
    func zero(from start: Int, _ changes: inout RemovalChanges) throws {
        try require(start <= bytes.count)
        changes.zero(offset + Int64(start)..<range.upperBound)
    }
}

extension NestedBytes.Box {
    /// Replaces the box by free space.
    func remove(_ changes: inout RemovalChanges) {
        changes.replace(at: start + 4, with: "free")
        changes.zero(contents.range)
    }

    /// Removes the name in a handler's description, which may be any text.
    func cleanHandler(_ changes: inout RemovalChanges) throws { try contents.zero(from: 24, &changes) }

    /// Requires that all media data is in the file itself, and removes the texts of the references.
    func cleanReferences(_ changes: inout RemovalChanges) throws {
        for box in try contents.boxes(&changes) {
            guard box.kind == "dref" else {
                box.remove(&changes)
                continue
            }
            for reference in try box.contents.part(from: 8).boxes(&changes) {
                try require(["url ", "alis"].contains(reference.kind))
                try require(reference.contents.bytes.uint32(at: 0, .big).map { $0 & 1 == 1 } ?? false)
                try reference.contents.zero(from: 4, &changes)
            }
        }
    }
}

/// The parts of the media data that remain.
struct MediaUse {
    /// The samples of a track that follow one another.
    struct Chunk {
        let start: Int64
        let length: Int64
        /// The length if the samples are larger than the table says, as in old sound formats.
        let longest: Int64
    }

    static let chunkLimit = 500_000

    private(set) var chunks: [Chunk] = []
    private(set) var removed: [Range<Int64>] = []
    private var items: [Range<Int64>] = []
    private var cleaned: [Range<Int64>] = []

    /// Adds the bytes of an image. Images may share bytes.
    mutating func keep(item range: Range<Int64>) { items.append(range) }

    /// Adds bytes that have changes of their own.
    mutating func keep(cleaned range: Range<Int64>) { cleaned.append(range) }

    mutating func add(_ added: [Chunk], isKept: Bool) throws {
        if isKept { chunks += added } else { removed += added.map { $0.start..<$0.start + $0.length } }
        try require(chunks.count + removed.count <= Self.chunkLimit)
    }

    /// Returns the ranges that remain, merged. None of them shares bytes with a range that is removed or changed.
    func kept(in media: [Range<Int64>]) throws -> [Range<Int64>] {
        let starts = (chunks.map(\.start) + removed.map(\.lowerBound)).sorted()
        let ordered = chunks.sorted { $0.start < $1.start }
        var next = 0
        var samples: [Range<Int64>] = []
        for chunk in ordered where chunk.length > 0 {
            while next < starts.count, starts[next] <= chunk.start { next += 1 }
            let media = try known(media.first { $0.contains(chunk.start) })
            let end = min(chunk.start + chunk.longest, next < starts.count ? starts[next] : media.upperBound)
            samples.append(chunk.start..<max(chunk.start + chunk.length, min(end, media.upperBound)))
        }
        try samples.requireDisjoint()
        // The first image of a sequence may also be an item.
        let shown = (items + samples).merged()
        let all = shown + removed.merged() + cleaned
        try all.requireDisjoint()
        for range in all where !range.isEmpty {
            try require(media.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound })
        }
        return (shown + cleaned).merged()
    }
}
