import Foundation
import JSONCoding
import PhotoCatalog
import Secrets

/// `manifest.json`: every other file of an export with its size and SHA-256, one in each line. The length of a line does
/// not depend on the digest.
enum ExportManifest {
    static func opening(_ description: ExportDescription) -> [UInt8] {
        let created = description.created.ISO8601Format()
        return Array(
            #"{"format":"\#(ExportDescription.format)","account":"\#(description.account)","created":"\#(created)","#
                .utf8)
            + Array(#""members":["#.utf8)
    }

    static let closing = Array("\n]}\n".utf8)

    /// Appends the line of a file.
    static func appendLine(
        _ entry: ZipEntry, sha256: Data?, isFirst: Bool = false, to bytes: inout [UInt8]
    ) {
        begin(entry, sha256, isFirst, &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends the line of a photo.
    static func appendLine(_ photo: ExportItem, _ digest: PhotoDigest?, to bytes: inout [UInt8]) {
        begin(photo.photoEntry, digest?.sha256, false, &bytes)
        let isDamaged = digest?.isDamaged ?? false
        bytes.append(contentsOf: ",\"md5\":\"\(photo.entry.md5)\",\"damaged\":\(isDamaged ? "true }" : "false}")".utf8)
    }

    private static func begin(_ entry: ZipEntry, _ sha256: Data?, _ isFirst: Bool, _ bytes: inout [UInt8]) {
        bytes.append(contentsOf: (isFirst ? "\n" : ",\n").utf8)
        bytes.append(contentsOf: #"{"path":"#.utf8)
        var name = entry.name
        name.withUTF8 { JSONString.append($0, to: &bytes) }
        let hash = sha256.map { Hex.encode($0) } ?? String(repeating: "0", count: 64)
        bytes.append(
            contentsOf: #","size":\#(entry.size),"modified":\#(entry.modified.seconds),"sha256":"\#(hash)""#.utf8)
    }
}
