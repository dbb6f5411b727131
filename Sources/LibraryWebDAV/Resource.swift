import Foundation
import PhotolalaClient

/// A file or folder with its properties (RFC 4918 section 15).
enum Resource {
    case folder(path: String)
    case file(LibraryPhoto)

    var path: String {
        switch self {
        case .folder(let path): path
        case .file(let photo): photo.path
        }
    }

    /// The names of the properties in the namespace `DAV:`.
    var names: [String] {
        switch self {
        case .folder: ["resourcetype", "displayname"]
        case .file:
            [
                "resourcetype", "displayname", "getcontentlength", "getcontenttype", "getetag", "getlastmodified",
                "creationdate",
            ]
        }
    }

    /// Returns the text of a property, or `nil` for one that the resource does not have. A folder's type is no text.
    func value(_ name: String) -> String? {
        switch (self, name) {
        case (_, "resourcetype"): return ""
        case (_, "displayname"): return LibraryTree.name(of: path)
        case (.file(let photo), "getcontentlength"): return "\(photo.size)"
        case (.file(let photo), "getcontenttype"): return photo.type
        case (.file(let photo), "getetag"): return Self.tag(of: photo)
        case (.file(let photo), "getlastmodified"): return Self.modified(photo).map(HTTPDate.text)
        case (.file(let photo), "creationdate"):
            return (Self.date(photo.taken ?? photo.modified) ?? Self.modified(photo))?.formatted(.iso8601)
        default: return nil
        }
    }

    /// The address of the resource in this server.
    var href: String {
        let path = "/" + path.split(separator: "/").map(Self.encoded).joined(separator: "/")
        if case .folder = self, path != "/" { return path + "/" }
        return path
    }

    static func tag(of photo: LibraryPhoto) -> String { "\"\(photo.md5)\"" }

    static func modified(_ photo: LibraryPhoto) -> Date? { date(photo.modified) }

    private static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }

    /// Percent-encodes all bytes but the unreserved characters of RFC 3986.
    private static func encoded(_ name: Substring) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        return String(
            decoding: name.utf8.flatMap { byte -> [UInt8] in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: [byte]
                default: [0x25, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
                }
            }, as: UTF8.self)
    }
}

/// Dates of HTTP (RFC 9110 section 5.6.7).
enum HTTPDate {
    static func text(_ date: Date) -> String { date.formatted(style) }

    private static let style = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .extended(minimumLength: 4)) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
}
