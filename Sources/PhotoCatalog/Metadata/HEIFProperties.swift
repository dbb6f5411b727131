/// The properties of a HEIF file's primary item (ISO/IEC 23008-12 section 6.5): size, rotation and mirroring.
struct HEIFProperties {
    private(set) var size: PixelSize?
    /// The EXIF orientation; `nil` if the item is shown as it is stored.
    private(set) var orientation: UInt8?

    /// Returns `nil` if there is no primary item with properties.
    init?(in bytes: ByteWindow) {
        guard let meta = ISOBoxes(bytes).first("meta"), let boxes = meta.window(at: 4, count: meta.count - 4),
            let item = ISOBoxes(boxes).first("pitm").flatMap(Self.primaryItem(in:)),
            let properties = ISOBoxes(boxes).first("iprp"), let known = ISOBoxes(properties).first("ipco")
        else { return nil }
        let all = Array(ISOBoxes(known))
        var turn = Orientation.upright
        for index in Self.propertyIndices(of: item, in: properties) {
            // Property numbers start at 1.
            guard all.indices.contains(index - 1) else { continue }
            let payload = all[index - 1].payload
            switch all[index - 1].kind {
            case "ispe":
                size = PixelSize(payload.uint32(at: 4, .big).map(Int.init), payload.uint32(at: 8, .big).map(Int.init))
            case "irot":
                for _ in 0..<Int((payload.uint8(at: 0) ?? 0) & 3) { turn = turn.then(.turnedLeft) }
            // Axis 0 exchanges top and bottom, axis 1 left and right (section 6.5.12).
            case "imir": turn = turn.then((payload.uint8(at: 0) ?? 0) & 1 == 0 ? .flipped : .mirrored)
            default: continue
            }
        }
        orientation = turn == .upright ? nil : turn.exif
    }

    private static func primaryItem(in pitm: ByteWindow) -> Int? {
        pitm.uint8(at: 0) == 0 ? pitm.uint16(at: 4, .big).map(Int.init) : pitm.uint32(at: 4, .big).map(Int.init)
    }

    /// Returns the numbers of an item's properties, in the order in which they are to be applied.
    private static func propertyIndices(of item: Int, in properties: ByteWindow) -> [Int] {
        for box in ISOBoxes(properties) where box.kind == "ipma" {
            if let indices = associations(of: item, in: box.payload) { return indices }
        }
        return []
    }

    private static func associations(of item: Int, in ipma: ByteWindow) -> [Int]? {
        guard let version = ipma.uint8(at: 0), let flags = ipma.uint8(at: 3), let count = ipma.uint32(at: 4, .big)
        else { return nil }
        let isWide = flags & 1 == 1
        var cursor = 8
        for _ in 0..<min(count, 4096) {
            let id =
                version == 0 ? ipma.uint16(at: cursor, .big).map(Int.init) : ipma.uint32(at: cursor, .big).map(Int.init)
            cursor += version == 0 ? 2 : 4
            guard let id, let associations = ipma.uint8(at: cursor) else { return nil }
            cursor += 1
            if id == item {
                return (0..<Int(associations)).compactMap { index in
                    isWide
                        ? ipma.uint16(at: cursor + index * 2, .big).map { Int($0 & 0x7fff) }
                        : ipma.uint8(at: cursor + index).map { Int($0 & 0x7f) }
                }
            }
            cursor += Int(associations) * (isWide ? 2 : 1)
        }
        return nil
    }
}
