import NIOCore

/// Plans the changes to a movie's description: tracks of pictures and sound remain, with what is needed to play them.
enum MovieRemoval {
    /// The length of the boxes without tables, by version.
    private static let headers: [BoxKind: [Int]] = [
        "mvhd": [100, 112], "tkhd": [84, 96], "mdhd": [24, 36], "vmhd": [12], "smhd": [8], "cslg": [24, 44],
    ]
    /// The offset of the number of rows of the boxes with a table, and the length of a row, by version.
    private static let tables: [BoxKind: (count: [Int], row: [Int])] = [
        "elst": ([4], [12, 20]), "stts": ([4], [8]), "ctts": ([4], [8, 8]), "stss": ([4], [4]), "stps": ([4], [4]),
        "stsc": ([4], [12]), "stco": ([4], [4]), "co64": ([4], [8]), "sbgp": ([8, 12], [8, 8]),
    ]
    /// Groups of samples for decoding and seeking.
    private static let groups = ["roll", "prol", "rap ", "sync", "tscl", "stsa", "tsas", "sap ", "tele", "alst"]
    private static let trackLimit = 64

    static func plan(
        _ movie: NestedBytes, isImage: Bool, _ changes: inout RemovalChanges, _ use: inout MediaUse
    ) throws {
        let handlers: Set<BoxKind> = isImage ? ["vide", "soun", "pict", "auxv"] : ["vide", "soun"]
        var tracks = 0
        var isPlayable = false
        for box in try movie.boxes(&changes) {
            switch box.kind {
            case "mvhd": try cleanHeader(box, &changes)
            // Samples that the movie does not describe.
            case "mvex": throw UnknownStructure()
            case "trak":
                tracks += 1
                try require(tracks <= trackLimit)
                isPlayable = try planTrack(box, handlers, &changes, &use) || isPlayable
            default: box.remove(&changes)
            }
        }
        try require(isPlayable || isImage)
    }

    /// Returns whether the track remains.
    private static func planTrack(
        _ track: NestedBytes.Box, _ handlers: Set<BoxKind>, _ changes: inout RemovalChanges, _ use: inout MediaUse
    ) throws -> Bool {
        // The changes to a track that is removed as a whole are not needed.
        var inner = changes
        let boxes = try track.contents.boxes(&inner)
        let media = try known(boxes.only("mdia")).contents.boxes(&inner)
        let kind = BoxKind(number: try known(media.only("hdlr")?.contents.bytes.uint32(at: 8, .big)))
        let information = try known(media.only("minf")).contents.boxes(&inner)
        let table = try known(information.only("stbl")).contents.boxes(&inner)
        let references = try known(information.only("dinf"))
        let isKept = handlers.contains(kind)
        try references.cleanReferences(&inner)
        try use.add(SampleTable(table).chunks(isSound: kind == "soun"), isKept: isKept)
        guard isKept else {
            track.remove(&changes)
            return false
        }
        for box in boxes where box.kind != "mdia" { try cleanTrackPart(box, &inner) }
        for box in media where box.kind != "minf" {
            switch box.kind {
            case "mdhd": try cleanHeader(box, &inner)
            case "hdlr": try box.cleanHandler(&inner)
            default: box.remove(&inner)
            }
        }
        for box in information where box.kind != "stbl" && box.kind != "dinf" {
            switch box.kind {
            case "vmhd", "smhd": try cleanHeader(box, &inner)
            case "hdlr": try box.cleanHandler(&inner)
            default: box.remove(&inner)
            }
        }
        let sampleCount = try SampleTable(table).sampleCount
        for box in table { try cleanTablePart(box, isSound: kind == "soun", sampleCount: sampleCount, &inner) }
        changes = inner
        return true
    }

    private static func cleanTrackPart(_ box: NestedBytes.Box, _ changes: inout RemovalChanges) throws {
        switch box.kind {
        case "tkhd": try cleanHeader(box, &changes)
        case "edts":
            for part in try box.contents.boxes(&changes) {
                if part.kind == "elst" { try cleanTable(part, &changes) } else { part.remove(&changes) }
            }
        // Dimensions of the picture.
        case "tapt":
            for part in try box.contents.boxes(&changes) {
                let isKnown = ["clef", "prof", "enof"].contains(part.kind) && part.contents.bytes.count == 12
                if !isKnown { part.remove(&changes) }
            }
        case "load" where box.contents.bytes.count == 16: break
        default: box.remove(&changes)
        }
    }

    private static func cleanTablePart(
        _ box: NestedBytes.Box, isSound: Bool, sampleCount: Int, _ changes: inout RemovalChanges
    ) throws {
        let bytes = box.contents.bytes
        switch box.kind {
        case "stsd": try SampleDescriptions.clean(box.contents, isSound: isSound, &changes)
        case "stts", "ctts", "stss", "stps", "stsc", "stco", "co64", "sbgp": try cleanTable(box, &changes)
        case "cslg": try cleanHeader(box, &changes)
        case "stsz", "stz2":
            let count = Int(try known(bytes.uint32(at: 8, .big)))
            let width =
                box.kind == "stz2" ? Int(try known(bytes.uint8(at: 7))) : bytes.uint32(at: 4, .big) == 0 ? 32 : 0
            try box.contents.zero(from: 12 + (count * width + 7) / 8, &changes)
        // One byte for each sample.
        case "sdtp": try box.contents.zero(from: min(4 + sampleCount, bytes.count), &changes)
        case "sgpd" where bytes.count <= 1024 && groups.contains(where: { bytes.has($0, at: 4) }): break
        // Data of samples outside of the samples.
        case "saiz", "saio", "senc": throw UnknownStructure()
        default: box.remove(&changes)
        }
    }

    private static func cleanHeader(_ box: NestedBytes.Box, _ changes: inout RemovalChanges) throws {
        let version = Int(try known(box.contents.bytes.uint8(at: 0)))
        let lengths = try known(headers[box.kind])
        try require(lengths.indices.contains(version))
        try box.contents.zero(from: lengths[version], &changes)
    }

    private static func cleanTable(_ box: NestedBytes.Box, _ changes: inout RemovalChanges) throws {
        let version = Int(try known(box.contents.bytes.uint8(at: 0)))
        let table = try known(tables[box.kind])
        try require(table.row.indices.contains(version))
        let start = table.count.count > version ? table.count[version] : table.count[0]
        let count = Int(try known(box.contents.bytes.uint32(at: start, .big)))
        try box.contents.zero(from: start + 4 + count * table.row[version], &changes)
    }
}

extension [NestedBytes.Box] {
    /// Returns the box of a type; `nil` if there is none or more than one.
    func only(_ kind: BoxKind) -> NestedBytes.Box? {
        let found = filter { $0.kind == kind }
        return found.count == 1 ? found[0] : nil
    }
}
