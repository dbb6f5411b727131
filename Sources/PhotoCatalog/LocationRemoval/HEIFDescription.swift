import NIOCore

/// Cleans the boxes that describe the images of a HEIF file. Bytes behind the numbers of a box become zeros.
enum HEIFDescription {
    private static let properties: Set<BoxKind> = [
        "hvcC", "lhvC", "av1C", "ispe", "pixi", "colr", "pasp", "clap", "irot", "imir", "auxC", "lsel", "a1op", "a1lx",
        "oinf", "tols", "clli", "mdcv", "cclv", "amve", "reve", "ndwt", "rloc",
    ]
    private static let groups: Set<BoxKind> = ["altr", "ster", "eqiv", "brst", "tmap"]

    static func clean(_ box: NestedBytes.Box, _ changes: inout RemovalChanges) throws {
        let bytes = box.contents.bytes
        switch box.kind {
        case "hdlr": try box.cleanHandler(&changes)
        case "dinf": try box.cleanReferences(&changes)
        // They were cleaned with the items.
        case "iinf", "idat": break
        case "pitm": try box.contents.zero(from: bytes.uint8(at: 0) == 0 ? 6 : 8, &changes)
        case "iref":
            let width = bytes.uint8(at: 0) == 0 ? 2 : 4
            for reference in try box.contents.part(from: 4).boxes(&changes) {
                let count = Int(try known(reference.contents.bytes.uint16(at: width, .big)))
                try reference.contents.zero(from: width + 2 + count * width, &changes)
            }
        case "iprp":
            for part in try box.contents.boxes(&changes) {
                switch part.kind {
                case "ipco":
                    for property in try part.contents.boxes(&changes) where !properties.contains(property.kind) {
                        property.remove(&changes)
                    }
                case "ipma": try part.contents.zero(from: length(ofAssociations: part.contents.bytes), &changes)
                default: part.remove(&changes)
                }
            }
        case "grpl":
            for group in try box.contents.boxes(&changes) {
                if groups.contains(group.kind) {
                    let count = Int(try known(group.contents.bytes.uint32(at: 8, .big)))
                    try group.contents.zero(from: 12 + count * 4, &changes)
                } else {
                    group.remove(&changes)
                }
            }
        // Protected items.
        case "ipro": throw UnknownStructure()
        default: box.remove(&changes)
        }
    }

    /// The length of a table of properties of items (ISO/IEC 23008-12 section 9.3).
    private static func length(ofAssociations bytes: ByteWindow) throws -> Int {
        let item = bytes.uint8(at: 0) == 0 ? 2 : 4
        let property = try known(bytes.uint8(at: 3)) & 1 == 0 ? 1 : 2
        var position = 8
        for _ in 0..<(try known(bytes.uint32(at: 4, .big))) {
            position += item + 1 + Int(try known(bytes.uint8(at: position + item))) * property
        }
        return position
    }
}
