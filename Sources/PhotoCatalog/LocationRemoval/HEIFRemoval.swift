import NIOCore

/// Plans the changes to the images of a HEIF file (ISO/IEC 23008-12): items of known image types remain, and EXIF is
/// cleaned.
enum HEIFRemoval {
    /// Types of images. An item of type `jpeg` is a file that may have EXIF of its own.
    private static let images: Set<BoxKind> = ["hvc1", "hvt1", "lhv1", "av01", "grid", "iovl", "iden", "tmap"]

    static func plan(
        _ meta: NestedBytes, media: [Range<Int64>], _ file: inout RemovalReader, _ changes: inout RemovalChanges,
        _ use: inout MediaUse
    ) async throws {
        let boxes = try meta.part(from: 4).boxes(&changes)
        let items = try HEIFItems(information: try known(boxes.only("iinf")), &changes)
        let locations = try HEIFLocations(try known(boxes.only("iloc")).contents.bytes)
        let primary = try known(boxes.only("pitm")).contents.bytes
        let main =
            primary.uint8(at: 0) == 0 ? primary.uint16(at: 4, .big).map { UInt32($0) } : primary.uint32(at: 4, .big)
        try require(images.contains(try known(items.types[try known(main)])))
        try require(!items.types.values.contains("jpeg") && !items.types.values.contains("j2k1"))
        let data = boxes.only("idat")?.contents
        try require(data != nil || !boxes.contains { $0.kind == "idat" })
        var inner = MediaUse()
        var hasExif = false
        for (item, type) in items.types.sorted(by: { $0.key < $1.key }) {
            let isImage = images.contains(type)
            // The bytes of other items become zeros as those of no item do.
            guard isImage || type == "Exif" && !hasExif, let location = locations.items[item] else { continue }
            let ranges = try location.ranges(data: data, fileSize: file.size)
            if isImage {
                for range in ranges { if location.isInData { inner.keep(item: range) } else { use.keep(item: range) } }
            } else if ranges.count == 1, ranges[0].count <= ExifRemoval.limit {
                if location.isInData { inner.keep(cleaned: ranges[0]) } else { use.keep(cleaned: ranges[0]) }
                hasExif = true
                try await cleanExif(in: ranges[0], &file, &changes)
            }
        }
        if let data {
            for gap in try inner.kept(in: [data.range]).gaps(in: data.range) { changes.zero(gap) }
        }
        for box in boxes {
            if box.kind == "iloc" {
                try box.contents.zero(from: locations.length, &changes)
            } else {
                try HEIFDescription.clean(box, &changes)
            }
        }
    }

    /// Cleans an item that begins with the number of bytes before the EXIF block.
    private static func cleanExif(
        in range: Range<Int64>, _ file: inout RemovalReader, _ changes: inout RemovalChanges
    ) async throws {
        let old = Array(try await file.contents(of: range, limit: ExifRemoval.limit).readableBytesView)
        let skipped = ByteWindow(ByteBuffer(bytes: old)).uint32(at: 0, .big).map { Int($0) + 4 }
        guard let skipped, skipped <= old.count else {
            changes.zero(range)
            return
        }
        let prefix = Array("Exif".utf8) + [0, 0]
        let isPrefixed = skipped == 10 && old[4..<10].elementsEqual(prefix)
        let head = Array(old.prefix(4)) + (isPrefixed ? prefix : [UInt8](repeating: 0, count: skipped - 4))
        changes.replace(old, with: head + ExifRemoval.clean(Array(old[skipped...])), at: range.lowerBound)
    }
}

/// The types of the items of a HEIF file (ISO/IEC 14496-12 section 8.11.6).
struct HEIFItems {
    private(set) var types: [UInt32: BoxKind] = [:]

    init(information: NestedBytes.Box, _ changes: inout RemovalChanges) throws {
        let contents = information.contents
        let start = contents.bytes.uint8(at: 0) == 0 ? 6 : 8
        for box in try contents.part(from: start).boxes(&changes) {
            let entry = box.contents.bytes
            try require(box.kind == "infe" && (entry.uint8(at: 0) == 2 || entry.uint8(at: 0) == 3))
            let isWide = entry.uint8(at: 0) == 3
            let item = isWide ? entry.uint32(at: 4, .big) : entry.uint16(at: 4, .big).map { UInt32($0) }
            let rest = isWide ? 8 : 6
            // A protected item cannot be understood.
            try require(entry.uint16(at: rest, .big) == 0)
            let type = BoxKind(number: try known(entry.uint32(at: rest + 2, .big)))
            try require(types.updateValue(type, forKey: try known(item)) == nil)
            let name = rest + 6
            guard name < entry.count else { continue }
            let end = try known(entry.end(ofTextAt: name, before: entry.count))
            // Spaces keep the length of the name, so that the texts behind it stay in place.
            let spaces = [UInt8](repeating: 0x20, count: end - 1 - name)
            changes.replace(at: box.contents.offset + Int64(name), with: spaces)
            let hasTexts = type == "mime" || type == "uri "
            if !hasTexts { try box.contents.zero(from: end, &changes) }
        }
    }
}
