import NIOCore

/// The tables that say where the samples of a track are (ISO/IEC 14496-12 sections 8.6 and 8.7).
struct SampleTable {
    private let boxes: [NestedBytes.Box]

    init(_ boxes: [NestedBytes.Box]) { self.boxes = boxes }

    var sampleCount: Int { get throws { try SampleSizes(boxes).remaining } }

    /// Returns the bytes of each chunk. The tables must describe the same number of samples.
    func chunks(isSound: Bool) throws -> [MediaUse.Chunk] {
        let offsets = try offsets()
        let rows = try known(boxes.only("stsc")).contents.bytes
        let rowCount = Int(try known(rows.uint32(at: 4, .big)))
        try require(rowCount > 0 || offsets.isEmpty)
        var sizes = try SampleSizes(boxes)
        let layout = isSound && sizes.isConstant ? try soundLayout() : nil
        var chunks: [MediaUse.Chunk] = []
        chunks.reserveCapacity(offsets.count)
        for row in 0..<rowCount {
            let first = Int(try known(rows.uint32(at: 8 + row * 12, .big)))
            let samples = Int(try known(rows.uint32(at: 12 + row * 12, .big)))
            let next = row + 1 < rowCount ? Int(try known(rows.uint32(at: 20 + row * 12, .big))) : offsets.count + 1
            // A row of chunks that do not exist is harmless only as the last.
            try require(first == chunks.count + 1 && next >= first && next <= offsets.count + 1)
            for offset in offsets[(first - 1)..<(next - 1)] {
                let length = try sizes.next(samples)
                let other = layout?.length(ofSamples: Int64(samples))
                let (end, isTooLarge) = offset.addingReportingOverflow(max(length, other ?? 0))
                try require(!isTooLarge && end >= 0)
                chunks.append(
                    .init(start: offset, length: min(length, other ?? length), longest: max(length, other ?? length)))
            }
        }
        try require(sizes.remaining == 0 && chunks.count == offsets.count)
        return chunks
    }

    private func offsets() throws -> [Int64] {
        let isWide = boxes.contains { $0.kind == "co64" }
        try require(boxes.contains { $0.kind == "stco" } != isWide)
        let bytes = try known(boxes.only(isWide ? "co64" : "stco")).contents.bytes
        let count = Int(try known(bytes.uint32(at: 4, .big)))
        try require(count <= MediaUse.chunkLimit)
        return try (0..<count).map { index in
            guard isWide else { return Int64(try known(bytes.uint32(at: 8 + index * 4, .big))) }
            let high = try known(bytes.uint32(at: 8 + index * 8, .big))
            try require(high < 1 << 24)
            return Int64(high) << 32 | Int64(try known(bytes.uint32(at: 12 + index * 8, .big)))
        }
    }

    /// Returns the layout of sound whose table has a constant that is not always the length in bytes: QuickTime counts
    /// samples of one byte there, whatever their real length.
    private func soundLayout() throws -> SoundLayout? {
        let bytes = try known(boxes.only("stsd")).contents.bytes
        let entry = 16
        guard let version = bytes.uint16(at: entry + 8, .big), let channels = bytes.uint16(at: entry + 16, .big),
            let bits = bytes.uint16(at: entry + 18, .big)
        else { return nil }
        switch version {
        case 1:
            guard let samples = bytes.uint32(at: entry + 28, .big), let length = bytes.uint32(at: entry + 36, .big)
            else { return nil }
            return SoundLayout(samples: Int64(samples), bytes: Int64(length))
        case 2:
            guard let length = bytes.uint32(at: entry + 56, .big), let samples = bytes.uint32(at: entry + 60, .big)
            else { return nil }
            return SoundLayout(samples: Int64(samples), bytes: Int64(length))
        default: return SoundLayout(samples: 1, bytes: Int64(channels) * ((Int64(bits) + 7) / 8))
        }
    }
}

private struct SoundLayout {
    let samples: Int64
    let bytes: Int64

    func length(ofSamples count: Int64) -> Int64? {
        guard samples > 0, bytes > 0, bytes < 1 << 20 else { return nil }
        return (count + samples - 1) / samples * bytes
    }
}

/// The length of each sample in bytes, in order.
private struct SampleSizes {
    private let bytes: ByteWindow
    /// The length of an entry in bits; 0 if all samples have the same length.
    private let width: Int
    private let constant: Int64
    private var index = 0
    private(set) var remaining: Int

    init(_ boxes: [NestedBytes.Box]) throws {
        let isCompact = boxes.contains { $0.kind == "stz2" }
        try require(boxes.contains { $0.kind == "stsz" } != isCompact)
        bytes = try known(boxes.only(isCompact ? "stz2" : "stsz")).contents.bytes
        let field = try known(bytes.uint32(at: 4, .big))
        constant = isCompact ? 0 : Int64(field)
        width = isCompact ? Int(field & 255) : field == 0 ? 32 : 0
        remaining = Int(try known(bytes.uint32(at: 8, .big)))
        try require([0, 4, 8, 16, 32].contains(width) && (width > 0 || constant > 0))
    }

    var isConstant: Bool { width == 0 }

    /// Returns the length of the next samples together.
    mutating func next(_ count: Int) throws -> Int64 {
        try require(count <= remaining)
        remaining -= count
        // Both factors are below 2^32, and a sum of fewer than 2^26 numbers below 2^32 does not overflow.
        guard width > 0 else {
            let (length, isTooLarge) = constant.multipliedReportingOverflow(by: Int64(count))
            try require(!isTooLarge)
            return length
        }
        var sum: Int64 = 0
        for sample in index..<index + count { sum += try size(of: sample) }
        index += count
        return sum
    }

    private func size(of sample: Int) throws -> Int64 {
        switch width {
        case 4:
            let pair = try known(bytes.uint8(at: 12 + sample / 2))
            return Int64(sample % 2 == 0 ? pair >> 4 : pair & 15)
        case 8: return Int64(try known(bytes.uint8(at: 12 + sample)))
        case 16: return Int64(try known(bytes.uint16(at: 12 + sample * 2, .big)))
        default: return Int64(try known(bytes.uint32(at: 12 + sample * 4, .big)))
        }
    }
}
