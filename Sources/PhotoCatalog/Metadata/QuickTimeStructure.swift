import NIOCore

/// The metadata of a QuickTime or MP4 file (QuickTime File Format, ISO/IEC 14496-12 section 8). It is read from the
/// `moov` box, which cameras write after the media data.
enum QuickTimeStructure {
    static func reading(in bytes: MediaBytes) -> MediaReading {
        var walk = BoxWalk(bytes)
        var reading = MediaReading()
        guard let movie = walk.boxes(in: 0..<bytes.size).first(where: { $0.kind == "moov" }) else { return reading }
        var created: Timestamp?
        for box in walk.boxes(in: movie.payload) {
            switch box.kind {
            case "mvhd":
                created = creation(in: box.payload, bytes)
                reading.facts.duration = duration(in: box.payload, bytes)
            case "trak" where reading.facts.width == nil:
                let header = walk.boxes(in: box.payload).first { $0.kind == "tkhd" }
                if let header { addTrack(header.payload, bytes, to: &reading.facts) }
            case "meta" where reading.clues.dates.isEmpty:
                let metadata = QuickTimeMetadata(in: box, &walk)
                reading.clues.dates = metadata?.creationDate(&walk).map { [$0] } ?? []
                reading.facts.location = metadata?.location(&walk)
                reading.facts.camera = metadata?.camera(&walk) ?? reading.facts.camera
            case "udta" where reading.facts.camera == nil: reading.facts.camera = camera(in: box, &walk)
            default: continue
            }
        }
        // The header's date is in UTC and has lower precedence than the metadata date, which users see.
        if let created { reading.clues.dates.append(.moment(created)) }
        return reading
    }

    /// Reads the creation date, in seconds from 1904 in UTC. Some devices count from 1970 instead, and some write zero:
    /// a value that would be before 1970 is read as counted from 1970, and a date before 1990 or after 2199 is ignored.
    private static func creation(in payload: Range<Int64>, _ bytes: MediaBytes) -> Timestamp? {
        guard let head = bytes.window(at: payload.lowerBound, count: 12), payload.count >= 12 else { return nil }
        let seconds =
            head.uint8(at: 0) == 1
            ? head.uint32(at: 4, .big).flatMap { high in
                head.uint32(at: 8, .big).map { Int64(high) << 32 | Int64($0) }
            } : head.uint32(at: 4, .big).map(Int64.init)
        let (between1904And1970, year1990, year2200) = (Int64(2_082_844_800), Int64(631_152_000), Int64(7_258_118_400))
        guard let seconds else { return nil }
        let moment = seconds < between1904And1970 ? seconds : seconds - between1904And1970
        return (year1990..<year2200).contains(moment) ? Timestamp(seconds: moment, nanoseconds: 0) : nil
    }

    /// Reads the duration. All bits are set where it is unknown, as in some recordings that are sent while they are made.
    private static func duration(in payload: Range<Int64>, _ bytes: MediaBytes) -> MediaDuration? {
        guard let version = bytes.window(at: payload.lowerBound, count: 1)?.uint8(at: 0) else { return nil }
        let isLong = version == 1
        let (start, count) = isLong ? (Int64(20), 12) : (12, 8)
        guard payload.count >= start + Int64(count),
            let fields = bytes.window(at: payload.lowerBound + start, count: count),
            let timescale = fields.uint32(at: 0, .big), let first = fields.uint32(at: 4, .big)
        else { return nil }
        guard isLong else {
            return first == .max ? nil : MediaDuration(units: UInt64(first), timescale: timescale)
        }
        return fields.uint32(at: 8, .big).flatMap {
            MediaDuration(units: UInt64(first) << 32 | UInt64($0), timescale: timescale)
        }
    }

    /// Reads maker and model from the older user data: fields of up to 64 bytes behind their length and language.
    private static func camera(in box: BoxWalk.Box, _ walk: inout BoxWalk) -> CameraName? {
        let (make, model) = (BoxKind(number: 0xa96d_616b), BoxKind(number: 0xa96d_6f64))
        var texts: [BoxKind: [UInt8]] = [:]
        for field in walk.boxes(in: box.payload) where [make, model].contains(field.kind) {
            guard (5...68).contains(field.payload.count),
                let bytes = walk.bytes.window(at: field.payload.lowerBound, count: field.payload.count),
                let length = bytes.uint16(at: 0, .big)
            else { continue }
            texts[field.kind] = texts[field.kind] ?? Array(bytes.array.dropFirst(4).prefix(Int(length)))
        }
        return CameraName(make: texts[make], model: texts[model])
    }

    /// Adds the size and orientation of the first visible track.
    private static func addTrack(_ payload: Range<Int64>, _ bytes: MediaBytes, to facts: inout MediaFacts) {
        guard let version = bytes.window(at: payload.lowerBound, count: 1)?.uint8(at: 0) else { return }
        let matrix = version == 1 ? 52 : 40
        guard payload.count >= matrix + 44, let head = bytes.window(at: payload.lowerBound, count: matrix + 44) else {
            return
        }
        // 16.16 fixed point.
        let fixed = { (offset: Int) in head.uint32(at: offset, .big).map { Int(Int32(bitPattern: $0)) } }
        let size = PixelSize(fixed(matrix + 36).map { $0 >> 16 }, fixed(matrix + 40).map { $0 >> 16 })
        guard let size else { return }
        facts.width = size.width
        facts.height = size.height
        let turns = [0, 4, 12, 16].compactMap { fixed(matrix + $0) }.map { $0 == 65_536 ? 1 : $0 == -65_536 ? -1 : $0 }
        guard turns.count == 4 else { return }
        let turn = Orientation(xx: turns[0], xy: turns[1], yx: turns[2], yy: turns[3])
        facts.orientation = turn == .upright ? nil : turn.exif
    }
}

extension MediaBytes {
    /// The range of the `moov` box of a QuickTime or MP4 file, which says where its frames are, with up to 8 bytes before it;
    /// `nil` if there is none.
    package var movieRange: Range<Int64>? {
        var walk = BoxWalk(self)
        let movie = walk.boxes(in: 0..<size).first { $0.kind == "moov" }
        return movie.map { max(0, $0.payload.lowerBound - 16)..<$0.payload.upperBound }
    }
}

/// The QuickTime list of keys and values.
struct QuickTimeMetadata {
    private let keys: Range<Int64>
    private let items: [BoxWalk.Box]

    init?(in meta: BoxWalk.Box, _ walk: inout BoxWalk) {
        let boxes = walk.boxes(in: meta.payload)
        guard let keys = boxes.first(where: { $0.kind == "keys" }),
            let values = boxes.first(where: { $0.kind == "ilst" })
        else { return nil }
        (self.keys, items) = (keys.payload, walk.boxes(in: values.payload))
    }

    /// Returns the value of a key, of at most 64 bytes, as text in ISO 8859-1.
    private func text(of key: String, _ walk: inout BoxWalk) -> String? {
        value(of: key, &walk).flatMap { $0.text(at: 0, count: $0.count) }
    }

    /// Returns the value of a key, of at most 64 bytes.
    private func value(of key: String, _ walk: inout BoxWalk) -> ByteWindow? {
        // The type of an item is the number of its key; its value is in a `data` box, after eight bytes.
        guard let number = number(of: key, walk.bytes), let item = items.first(where: { $0.kind.number == number }),
            let data = walk.boxes(in: item.payload).first(where: { $0.kind == "data" }),
            (9...72).contains(data.payload.count),
            let bytes = walk.bytes.window(at: data.payload.lowerBound, count: data.payload.count)
        else { return nil }
        return bytes.window(at: 8, count: bytes.count - 8)
    }

    func camera(_ walk: inout BoxWalk) -> CameraName? {
        let make = value(of: "com.apple.quicktime.make", &walk)
        return CameraName(make: make?.array, model: value(of: "com.apple.quicktime.model", &walk)?.array)
    }

    /// Returns the place in degrees, as ISO 6709 writes it: `+35.6895+139.6917+040.000/`.
    func location(_ walk: inout BoxWalk) -> GeoLocation? {
        guard let text = text(of: "com.apple.quicktime.location.ISO6709", &walk) else { return nil }
        let signs = text.utf8.indices.filter {
            text.utf8[$0] == UInt8(ascii: "+") || text.utf8[$0] == UInt8(ascii: "-")
        }
        guard signs.first == text.utf8.startIndex, signs.count >= 2 else { return nil }
        let end = signs.count > 2 ? signs[2] : text.utf8.firstIndex(of: UInt8(ascii: "/")) ?? text.utf8.endIndex
        let numbers = [text[signs[0]..<signs[1]], text[signs[1]..<end]]
        // Other numbers of digits have minutes.
        guard zip(numbers, [2, 3]).allSatisfy({ $0.dropFirst().prefix { $0 != "." }.utf8.count == $1 }),
            let latitude = Double(numbers[0]), let longitude = Double(numbers[1])
        else { return nil }
        return GeoLocation(latitude: latitude, longitude: longitude)
    }

    /// Returns the date, with the local offset.
    func creationDate(_ walk: inout BoxWalk) -> CaptureClues.Clue? {
        guard let text = text(of: "com.apple.quicktime.creationdate", &walk) else { return nil }
        guard let date = CaptureDate(Self.withColon(text)) else { return nil }
        guard let offset = date.offset, CaptureClues.offsets.contains(offset) else { return .moment(date.moment) }
        return .dated(clock: date.clock, offset: offset)
    }

    /// Returns the key's number, counted from 1. Reads at most 256 keys of at most 255 bytes.
    private func number(of name: String, _ bytes: MediaBytes) -> UInt32? {
        var cursor = keys.lowerBound + 8
        for number in 1...UInt32(256) {
            guard let length = bytes.window(at: cursor, count: 4)?.uint32(at: 0, .big), (8...263).contains(length),
                cursor + Int64(length) <= keys.upperBound,
                let key = bytes.window(at: cursor, count: Int(length))
            else { return nil }
            if Int(length) == 8 + name.utf8.count, key.has(name, at: 8) { return number }
            cursor += Int64(length)
        }
        return nil
    }

    /// Converts the ISO 8601 form `+0200` to the RFC 3339 form `+02:00`.
    private static func withColon(_ text: String) -> String {
        let tail = text.suffix(5)
        guard tail.first == "+" || tail.first == "-", tail.dropFirst().allSatisfy(\.isNumber) else { return text }
        return "\(text.dropLast(2)):\(text.suffix(2))"
    }
}
