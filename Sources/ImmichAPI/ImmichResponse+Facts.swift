import ForeignExports
import Foundation
import PhotoCatalog

extension ImmichResponse.Item {
    private enum CodingKeys: String, CodingKey {
        case id, ownerId, originalFileName, originalPath, checksum, libraryId, visibility, fileCreatedAt, localDateTime
        case fileModifiedAt, createdAt, isFavorite, isTrashed, isOffline, isEdited, livePhotoVideoId, exifInfo, stack
    }

    private enum ExifKeys: String, CodingKey {
        case fileSizeInByte, latitude, longitude, description, rating
    }

    private enum StackKeys: CodingKey {}

    /// Reads each member by itself. A fact of a wrong type is unknown; without id, owner, name, checksum, visibility or
    /// modification date of the documented form there is no asset, because they identify its files.
    init(from decoder: any Decoder) throws {
        guard let members = try? decoder.container(keyedBy: CodingKeys.self) else {
            (asset, label, key) = (nil, "", "")
            return
        }
        func text(_ key: CodingKeys) -> String? { members.value(String.self, key) }
        func flag(_ key: CodingKeys) -> Bool { members.value(Bool.self, key) ?? false }
        func moment(_ key: CodingKeys) -> Timestamp? {
            text(key).flatMap { Timestamp($0) }.flatMap { CaptureDate($0)?.moment }
        }
        label = text(.originalFileName) ?? text(.id) ?? ""
        key = text(.id) ?? label
        guard let id = ImmichResponse.id(text(.id)), let owner = ImmichResponse.id(text(.ownerId)),
            let name = text(.originalFileName), let modified = text(.fileModifiedAt).flatMap({ Timestamp($0) }),
            let visibility = ImmichAsset.Visibility(rawValue: text(.visibility) ?? ""),
            !members.has(.checksum) || text(.checksum).map(Self.isChecksum) ?? false
        else {
            asset = nil
            return
        }
        var read = ImmichAsset(id: id, ownerID: owner, name: name, visibility: visibility, modified: modified)
        read.sha1 = Self.sha1(text(.checksum), isExternal: members.has(.libraryId), path: text(.originalPath))
        read.taken = moment(.fileCreatedAt)
        read.year =
            text(.localDateTime).flatMap { Timestamp($0) == nil ? nil : Int($0.prefix(4)) } ?? read.taken?.month.year
        read.added = moment(.createdAt)
        read.videoID = ImmichResponse.id(text(.livePhotoVideoId))
        (read.isFavorite, read.isTrashed) = (flag(.isFavorite), flag(.isTrashed))
        (read.isOffline, read.isEdited) = (flag(.isOffline), flag(.isEdited))
        read.isStacked = (try? members.nestedContainer(keyedBy: StackKeys.self, forKey: .stack)) != nil
        let exif = try? members.nestedContainer(keyedBy: ExifKeys.self, forKey: .exifInfo)
        read.hasMetadata = exif != nil
        if let exif { Self.add(exif, to: &read) }
        asset = read
    }

    private static func add(_ exif: KeyedDecodingContainer<ExifKeys>, to asset: inout ImmichAsset) {
        asset.size = exif.value(Int64.self, .fileSizeInByte).flatMap { (1...largestFile).contains($0) ? $0 : nil }
        if let latitude = exif.value(Double.self, .latitude), let longitude = exif.value(Double.self, .longitude) {
            asset.location = GeoLocation(latitude: latitude, longitude: longitude)
        }
        (asset.caption, asset.rating) = (exif.value(String.self, .description), exif.value(Int.self, .rating))
    }
}

extension ImmichResponse.Album {
    private enum CodingKeys: CodingKey {
        case id, albumName, assetCount, createdAt
    }

    init(from decoder: any Decoder) throws {
        let members = try? decoder.container(keyedBy: CodingKeys.self)
        id = ImmichResponse.id(members?.value(String.self, .id))
        title = members?.value(String.self, .albumName)
        assetCount = members?.value(Int.self, .assetCount)
        created = members?.value(String.self, .createdAt).flatMap { Timestamp($0) }
    }
}

extension KeyedDecodingContainer {
    /// Returns a member; `nil` if it is missing, null or of another type.
    fileprivate func value<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        (try? decodeIfPresent(type, forKey: key)) ?? nil
    }

    /// Returns whether there is a member that is not null, of any type.
    fileprivate func has(_ key: Key) -> Bool { contains(key) && (try? decodeNil(forKey: key)) != true }
}
