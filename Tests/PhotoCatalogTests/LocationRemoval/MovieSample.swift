/// Returns a box of the ISO base media file format.
func box(_ type: String, _ payload: [UInt8]) -> [UInt8] { big32(payload.count + 8) + Array(type.utf8) + payload }

/// Returns a box with a version and flags.
func full(_ type: String, version: UInt8 = 0, flags: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
    box(type, [version, 0, 0, flags] + payload)
}

func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

/// The box that a box with these bytes becomes when it is removed.
func freed(_ box: [UInt8]) -> [UInt8] { Array(box[..<4]) + Array("free".utf8) + zeros(box.count - 8) }

/// Builds movies: the media data and then its description.
struct MovieSample {
    struct Track {
        var handler = "vide"
        var codec = "avc1"
        /// The samples of each chunk.
        var chunks: [[[UInt8]]] = [[[1, 2], [3]], [[4]]]
        /// Boxes at the end of `trak`, `mdia`, `minf`, `stbl` and the description of the samples.
        var extra: [String: [UInt8]] = [:]
        var name: [UInt8] = [0]
        var reference = full("url ", flags: 1, [])
        /// Replaces the table of sizes.
        var sizes: [UInt8]?
        var isWide = false
        /// Replaces the fields of the description of the samples before its boxes.
        var description: [UInt8]?

        static func secret(_ handler: String = "meta") -> Track {
            Track(handler: handler, codec: "mebx", chunks: [[Array(secretText.utf8)], [Array(secretText.utf8)]])
        }
    }

    var tracks = [Track()]
    var extra: [UInt8] = []
    /// Bytes behind each chunk, which belong to no track.
    var gap: [UInt8] = []
    var behind: [UInt8] = []
    /// Replaces the offset of the first chunk of the last track.
    var lastOffset: Int?
    var brand = Array("isom\0\0\0\0".utf8)
    var meta: [UInt8] = []

    /// The chunks of all tracks by turns.
    var media: [UInt8] { placed().bytes }

    private func placed() -> (bytes: [UInt8], offsets: [[Int]]) {
        var bytes: [UInt8] = []
        var offsets = tracks.map { _ in [Int]() }
        for index in 0..<(tracks.map(\.chunks.count).max() ?? 0) {
            for (number, track) in tracks.enumerated() where index < track.chunks.count {
                offsets[number].append(bytes.count)
                bytes += track.chunks[index].flatMap { $0 } + gap
            }
        }
        return (bytes, offsets)
    }

    var bytes: [UInt8] {
        let head = box("ftyp", brand) + meta
        let (media, offsets) = placed()
        var movie = full("mvhd", zeros(96))
        for (index, track) in tracks.enumerated() {
            var places = offsets[index].map { $0 + head.count + 8 }
            if index == tracks.count - 1, let lastOffset { places[0] = lastOffset }
            movie += track.box(offsets: places)
        }
        return head + box("mdat", media) + box("moov", movie + extra) + behind
    }
}

private let secretText = secret

extension MovieSample.Track {
    func box(offsets: [Int]) -> [UInt8] {
        let samples = chunks.flatMap { $0 }
        let fields = description ?? zeros(handler == "soun" ? 28 : 78)
        let entry = PhotoCatalogTests.box(codec, fields + (extra["stsd"] ?? []))
        let rows = chunks.enumerated().flatMap { big32($0.offset + 1) + big32($0.element.count) + big32(1) }
        let places = offsets.flatMap { isWide ? big32(0) + big32($0) : big32($0) }
        let sizes = sizes ?? full("stsz", big32(0) + big32(samples.count) + samples.flatMap { big32($0.count) })
        let table =
            full("stsd", big32(1) + entry) + full("stts", big32(1) + big32(samples.count) + big32(1))
            + full("stsc", big32(chunks.count) + rows) + sizes
            + full(isWide ? "co64" : "stco", big32(offsets.count) + places) + (extra["stbl"] ?? [])
        let header = handler == "soun" ? full("smhd", zeros(4)) : full("vmhd", zeros(8))
        let references = PhotoCatalogTests.box("dinf", full("dref", big32(1) + reference))
        let information = header + references + PhotoCatalogTests.box("stbl", table) + (extra["minf"] ?? [])
        let handling = full("hdlr", zeros(4) + Array(handler.utf8) + zeros(12) + name)
        let media =
            full("mdhd", zeros(20)) + handling + PhotoCatalogTests.box("minf", information) + (extra["mdia"] ?? [])
        let edits = PhotoCatalogTests.box("edts", full("elst", big32(1) + zeros(12)))
        return PhotoCatalogTests.box(
            "trak", full("tkhd", zeros(80)) + edits + PhotoCatalogTests.box("mdia", media) + (extra["trak"] ?? []))
    }
}
