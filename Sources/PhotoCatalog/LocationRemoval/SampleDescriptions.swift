import NIOCore

/// The descriptions of a track's samples: the codec and what it needs.
enum SampleDescriptions {
    /// Codecs whose samples are not files with metadata of their own, as those of Motion JPEG are.
    private static let pictures: Set<BoxKind> = [
        "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "av01", "vp08", "vp09", "mp4v", "s263", "h263",
        "apch", "apcn", "apcs", "apco", "ap4h", "ap4x",
    ]
    private static let sounds: Set<BoxKind> = [
        "mp4a", "ac-3", "ec-3", "alac", "apac", "lpcm", "sowt", "twos", "raw ", "in24", "in32", "fl32", "fl64", "samr",
        "sawb", "ulaw", "alaw", "ima4", "Opus", "fLaC", ".mp3", "ipcm", "fpcm",
    ]
    private static let parts: Set<BoxKind> = [
        "avcC", "hvcC", "lhvC", "av1C", "vpcC", "esds", "d263", "damr", "dvcC", "dvvC", "dvwC", "pasp", "colr", "clap",
        "fiel", "btrt", "mdcv", "clli", "SmDm", "CoLL", "gama", "chrm", "chan", "chnl", "dac3", "dec3", "dOps", "dfLa",
        "dapa", "alac", "pcmC", "vexu", "hfov", "auxi", "ccst", "amve", "srat", "frma", "enda", "mp4a",
    ]
    private static let limit = 64

    static func clean(_ contents: NestedBytes, isSound: Bool, _ changes: inout RemovalChanges) throws {
        let entries = try contents.part(from: 8).boxes(&changes)
        try require(entries.count <= limit && entries.count == contents.bytes.uint32(at: 4, .big).map { Int($0) })
        for entry in entries {
            let known = isSound ? sounds : pictures
            try require(known.contains(entry.kind))
            let start = try isSound ? soundLength(entry.contents.bytes) : 78
            for part in try entry.contents.part(from: start).boxes(&changes) {
                if part.kind == "wave" {
                    for inner in try part.contents.boxes(&changes) where !parts.contains(inner.kind) {
                        inner.remove(&changes)
                    }
                } else if !parts.contains(part.kind) {
                    part.remove(&changes)
                }
            }
        }
    }

    /// The length of the fields before the first box, which depends on QuickTime's version of the description.
    private static func soundLength(_ bytes: ByteWindow) throws -> Int {
        switch bytes.uint16(at: 8, .big) {
        case 0: 28
        // QuickTime's version 1. A description of ISO/IEC 14496-12's version 1 has other lengths and is not understood.
        case 1: 44
        case 2: 64
        default: throw UnknownStructure()
        }
    }
}
