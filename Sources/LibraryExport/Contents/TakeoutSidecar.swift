import JSONCoding
import NIOCore
import PhotoCatalog

/// The JSON file beside a photo, in the form of Google Takeout, which photo programs import.
enum TakeoutSidecar {
    /// Appended to the photo's name.
    static let suffix = ".json"

    static func bytes(_ entry: CatalogEntry, isInTrash: Bool) -> ByteBuffer {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(320)
        bytes.append(contentsOf: "{\n  \"title\": ".utf8)
        var title = entry.path.name
        title.withUTF8 { JSONString.append($0, to: &bytes) }
        bytes.append(contentsOf: ",\n  \"description\": \"\",\n  \"creationTime\": ".utf8)
        append(entry.modified, to: &bytes)
        bytes.append(contentsOf: ",\n  \"photoTakenTime\": ".utf8)
        append(entry.taken?.moment ?? entry.modified, to: &bytes)
        if let location = entry.media.location {
            bytes.append(contentsOf: ",\n  \"geoData\": {\"latitude\": ".utf8)
            location.writeLatitude(to: &bytes)
            bytes.append(contentsOf: ", \"longitude\": ".utf8)
            location.writeLongitude(to: &bytes)
            bytes.append(contentsOf: ", \"altitude\": 0.0}".utf8)
        }
        if isInTrash { bytes.append(contentsOf: ",\n  \"trashed\": true".utf8) }
        bytes.append(contentsOf: "\n}\n".utf8)
        return ByteBuffer(bytes: bytes)
    }

    private static func append(_ moment: Timestamp, to bytes: inout [UInt8]) {
        let whole = Timestamp(seconds: moment.seconds, nanoseconds: 0)
        bytes.append(contentsOf: "{\"timestamp\": \"\(moment.seconds)\", \"formatted\": \"\(whole)\"}".utf8)
    }
}
