import JSONCoding
import NIOCore
import PhotoCatalog

/// What a JSON file in an export of Ente describes: of the desktop app, which writes them in the form of Google Photos, or of
/// the command `ente export`.
package enum EnteDescription: Sendable, Equatable {
    case photo(Photo)
    /// An album, with its title.
    case album(String)
    /// The desktop app's record of what it exported.
    case record(Record)
    case other

    /// What Ente says about one photo, video or Live Photo.
    package struct Photo: Sendable, Equatable {
        package var taken: Timestamp?
        /// Whether there is a date that cannot be read.
        package var isDateUnreadable = false
        package var location: GeoLocation?
        package var hasCaption = false
        /// The names of its files; empty if the name of the description says it.
        package var fileNames: [String] = []
        /// The number of the photo, which is the same in all albums.
        package var id: Int?
    }

    package struct Record: Sendable, Equatable {
        /// The numbers of photos by the folder and name of their files.
        package var ids: [String: Int] = [:]
    }

    /// The longest file that is read, in bytes: the record of 200,000 photos.
    package static let limit = 16 << 20

    /// Reads a file; returns `nil` if it is no JSON object.
    package static func read(_ bytes: ByteBuffer) -> EnteDescription? {
        guard bytes.readableBytes <= limit, let members = DescriptionValue.members(bytes.readableBytesView) else {
            return nil
        }
        if let names = members["fileExportNames"]?.object, let albums = members["collectionExportNames"]?.object {
            return .record(Record(names, albums))
        }
        if let title = members["albumName"]?.string { return .album(title) }
        guard members["title"]?.string != nil else { return .other }
        return Photo(members).map { .photo($0) } ?? .other
    }
}

extension EnteDescription.Photo {
    fileprivate init?(_ members: [String: JSONValue]) {
        if let info = members["info"]?.object {
            fileNames = info["fileNames"]?.strings ?? []
            id = info["id"]?.integer
            location = DescriptionValue.location(members["location"])
            hasCaption = DescriptionValue.hasText(members["description"])
            let date = members["creationTime"]?.string ?? ""
            taken = Timestamp(date).flatMap { CaptureDate($0) }?.moment
            isDateUnreadable = Timestamp(date) == nil && !date.isEmpty
        } else if let time = (members["photoTakenTime"] ?? members["creationTime"])?.object {
            (taken, isDateUnreadable) = DescriptionValue.moment(time["timestamp"])
            location = DescriptionValue.location(members["geoData"])
            hasCaption = DescriptionValue.hasText(members["caption"])
        } else {
            return nil
        }
    }
}

extension EnteDescription.Record {
    /// - Parameters:
    ///   - names: File names, or two as JSON for a Live Photo, by the numbers of photo, album and change.
    ///   - albums: The names of folders by the numbers of albums.
    fileprivate init(_ names: [String: JSONValue], _ albums: [String: JSONValue]) {
        for (key, value) in names {
            let numbers = key.split(separator: "_")
            guard numbers.count >= 2, let id = Int(numbers[0]), let folder = albums[String(numbers[1])]?.string,
                let name = value.string
            else { continue }
            let pair = name.hasPrefix("{") ? DescriptionValue.members(Array(name.utf8)) : nil
            for name in pair.map({ $0.values.compactMap(\.string) }) ?? [name] {
                ids[ExportedName.normalized("\(folder)/\(name)")] = id
            }
        }
    }
}
