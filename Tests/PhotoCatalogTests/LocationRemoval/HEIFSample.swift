/// Builds HEIF files: the description of items and then their bytes.
struct HEIFSample {
    struct Item {
        var id: Int
        var type: String
        var data: [UInt8]
        /// Whether the bytes are in the `idat` box.
        var isInside = false
        var name: [UInt8] = []
        /// Texts behind the name.
        var texts: [UInt8] = []
        /// Replaces the version of the entry, its protection, the construction method or the data reference.
        var version: UInt8 = 2
        var protection = 0
        var method: Int?
        var reference = 0
        /// Replaces the extents, as offset and length.
        var extents: [[Int]]?
    }

    static let image = Item(id: 1, type: "hvc1", data: [1, 2, 3, 4])
    static let grid = Item(id: 2, type: "grid", data: [5, 6], isInside: true)

    var items = [image, grid]
    /// Boxes in `meta`, `iprp`, `ipco`, `grpl` and behind the file.
    var extra: [String: [UInt8]] = [:]
    var gap: [UInt8] = []
    var primary = 1
    var name: [UInt8] = [0]
    var brand = Array("heic\0\0\0\0mif1".utf8)
    /// Replaces a box of `meta`.
    var replaced: [String: [UInt8]] = [:]

    /// The offset of the media data, with `count` bytes of boxes before it.
    var mediaStart: Int { head(at: 0).count + 8 }

    private func head(at start: Int) -> [UInt8] {
        var (inside, outside) = (0, start)
        var locations: [UInt8] = []
        for item in items {
            let offset = item.isInside ? inside : outside
            let length = item.data.count + gap.count
            if item.isInside { inside += length } else { outside += length }
            let extents = item.extents ?? [[offset, item.data.count]]
            locations += big16(item.id) + big16(item.method ?? (item.isInside ? 1 : 0)) + big16(item.reference)
            locations += big16(extents.count) + extents.flatMap { big32($0[0]) + big32($0[1]) }
        }
        let entries = items.flatMap { item in
            full(
                "infe", version: item.version,
                big16(item.id) + big16(item.protection) + Array(item.type.utf8) + item.name + [0] + item.texts)
        }
        let data = items.filter(\.isInside).flatMap { $0.data + gap }
        let properties =
            box("ipco", full("ispe", big32(8) + big32(8)) + (extra["ipco"] ?? []))
            + full("ipma", big32(1) + big16(1) + [1, 1])
            + (extra["iprp"] ?? [])
        let boxes: [(String, [UInt8])] = [
            ("hdlr", full("hdlr", zeros(4) + Array("pict".utf8) + zeros(12) + name)),
            ("pitm", full("pitm", big16(primary))),
            ("iinf", full("iinf", big16(items.count) + entries)),
            ("iloc", full("iloc", version: 1, [0x44, 0] + big16(items.count) + locations)),
            ("iprp", box("iprp", properties)), ("idat", box("idat", data)),
            ("grpl", box("grpl", full("altr", big32(1) + big32(1) + big32(1)) + (extra["grpl"] ?? []))),
        ]
        let contents = boxes.flatMap { replaced[$0.0] ?? $0.1 }
        return box("ftyp", brand) + full("meta", contents + (extra["meta"] ?? []))
    }

    var bytes: [UInt8] {
        let media = items.filter { !$0.isInside }.flatMap { $0.data + gap }
        return head(at: mediaStart) + box("mdat", media) + (extra["file"] ?? [])
    }
}
