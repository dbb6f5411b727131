import JSONCoding
import PhotoCatalog

/// The values in the JSON descriptions of Google Photos, which Ente uses, too.
enum DescriptionValue {
    /// Returns the moment of seconds as text or number; 0 means that it is unknown. A date that no photo has, such as
    /// milliseconds, is unreadable.
    static func moment(_ timestamp: JSONValue?) -> (moment: Timestamp?, isUnreadable: Bool) {
        let seconds: Int64?
        switch timestamp {
        case .string(let text)?:
            guard !text.isEmpty else { return (nil, false) }
            seconds = Int64(text)
        case .number?: seconds = timestamp?.integer.map(Int64.init)
        default: return (nil, false)
        }
        guard seconds != 0 else { return (nil, false) }
        let moment = seconds.flatMap { CaptureDate(Timestamp(seconds: $0, nanoseconds: 0))?.moment }
        return (moment, moment == nil)
    }

    static func location(_ value: JSONValue?) -> GeoLocation? {
        guard case .number(let latitude)? = value?.object?["latitude"],
            case .number(let longitude)? = value?.object?["longitude"]
        else { return nil }
        return GeoLocation(latitude: latitude, longitude: longitude)
    }

    static func hasText(_ value: JSONValue?) -> Bool { value?.string?.contains { !$0.isWhitespace } ?? false }

    /// Returns the members of a JSON object; `nil` for anything else. A byte order mark is skipped.
    static func members(_ bytes: some BidirectionalCollection<UInt8>) -> [String: JSONValue]? {
        let isMarked = bytes.starts(with: [0xef, 0xbb, 0xbf])
        return (try? JSONReader.read(bytes.dropFirst(isMarked ? 3 : 0)))?.object
    }
}
