import Foundation
import PhotolalaAPI
import PhotolalaClient

/// Photos on standard output, a line each, written as they are made: there may be a million of them.
enum PhotoListing {
    private static let blockLength = 1 << 16

    /// `date  size  path` for people.
    static func write(_ photos: some Sequence<LibraryPhoto>, remark: (LibraryPhoto) -> String = { _ in "" }) throws {
        try write(photos) { photo, block in
            block.append(contentsOf: "\(PhotoLine.text(photo))\(remark(photo))\n".utf8)
        }
    }

    /// One JSON object, with the photos under `photos` and then what else there is to tell.
    static func writeJSON(_ photos: some Sequence<LibraryPhoto>, totals: PhotoTotals) throws {
        let encoder = WireJSON.encoder()
        encoder.outputFormatting.insert(.sortedKeys)
        var isFirst = true
        try put(Data(#"{"photos":["#.utf8))
        try write(photos) { photo, block in
            block.append(contentsOf: (isFirst ? "\n" : ",\n").utf8)
            block.append(try encoder.encode(photo))
            isFirst = false
        }
        try put(Data("\n],\"files\":\(totals.files),\"bytes\":\(totals.bytes)}\n".utf8))
    }

    private static func write(
        _ photos: some Sequence<LibraryPhoto>, line: (LibraryPhoto, inout Data) throws -> Void
    ) throws {
        var block = Data()
        for photo in photos {
            try line(photo, &block)
            guard block.count >= blockLength else { continue }
            // Whoever stops it does not wait for the rest of a million lines.
            try Task.checkCancellation()
            try put(block)
            block.removeAll(keepingCapacity: true)
        }
        try put(block)
    }

    private static func put(_ bytes: Data) throws { try FileHandle.standardOutput.write(contentsOf: bytes) }
}

/// How many photos there are.
struct PhotoTotals: CommandResult {
    let files: Int
    let bytes: Int64

    init(_ photos: LibraryPhotos) { (files, bytes) = (photos.count, photos.bytes) }

    var text: String { "\(Counted.files(files)), \(ByteText.text(bytes))" }
}
