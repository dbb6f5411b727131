import Foundation
import PhotolalaAPI
import PhotolalaClient

/// Writes photos to standard output, one per line, without collecting them: there may be a million.
enum PhotoListing {
    private static let blockLength = 1 << 16

    /// Writes lines of `date  size  path`.
    static func write(_ photos: some Sequence<LibraryPhoto>, remark: (LibraryPhoto) -> String = { _ in "" }) throws {
        try write(photos) { photo, block in
            block.append(contentsOf: "\(PhotoLine.text(photo))\(remark(photo))\n".utf8)
        }
    }

    /// Writes one JSON object, with the photos under `photos`, followed by the totals.
    static func writeJSON(_ photos: some Sequence<LibraryPhoto>, totals: PhotoTotals) throws {
        let encoder = WireJSON.encoder()
        encoder.outputFormatting.insert(.sortedKeys)
        var isFirst = true
        try writeBytes(Data(#"{"photos":["#.utf8))
        try write(photos) { photo, block in
            if !isFirst { block.append(UInt8(ascii: ",")) }
            block.append(try encoder.encode(photo))
            isFirst = false
        }
        try writeBytes(Data("],\"files\":\(totals.files),\"bytes\":\(totals.bytes)}\n".utf8))
    }

    private static func write(
        _ photos: some Sequence<LibraryPhoto>, line: (LibraryPhoto, inout Data) throws -> Void
    ) throws {
        var block = Data()
        for photo in photos {
            try line(photo, &block)
            guard block.count >= blockLength else { continue }
            // An interruption takes effect before the remaining lines are written.
            try Task.checkCancellation()
            try writeBytes(block)
            block.removeAll(keepingCapacity: true)
        }
        try writeBytes(block)
    }

    private static func writeBytes(_ bytes: Data) throws { try Terminal.writeOutput(bytes) }
}

/// The number and total size of photos.
struct PhotoTotals: CommandResult {
    let files: Int
    let bytes: Int64

    init(_ photos: LibraryPhotos) { (files, bytes) = (photos.count, photos.bytes) }

    var text: String { "\(Counted.files(files)), \(ByteText.text(bytes))" }
}
