import ForeignExports
import JSONCoding
import NIOCore
import PhotoCatalog

/// The answers of Immich's API, as far as an import reads them.
enum ImmichResponse {
    struct Version: Decodable {
        let major: Int
        let minor: Int
        let patch: Int
    }

    struct Account: Decodable {
        let id: String
    }

    struct Album: Decodable {
        let id: String
        let albumName: String
        let assetCount: Int?
        let createdAt: String?
    }

    struct Search: Decodable {
        struct Assets: Decodable {
            let items: [Item]
            let nextPage: String?
        }

        let assets: Assets
    }

    /// An asset. One that is not as documented has no `asset`, so that it does not prevent the import of others.
    struct Item: Decodable {
        /// No photo store accepts larger files, in bytes.
        static let largestFile: Int64 = 5 << 40

        let asset: ImmichAsset?
        /// The name or id of the asset, for a report.
        let label: String
    }

    static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: ByteBuffer, of request: ImmichServer.Request
    ) throws(ImmichError) -> Value {
        do {
            return try CompactJSON.decode(type, from: Array(bytes.readableBytesView))
        } catch {
            throw .malformed(request: request.path)
        }
    }

    /// Returns a UUID in lowercase; `nil` for any other text, which could be part of another path.
    static func id(_ text: String?) -> String? {
        guard let text, UUIDText.decode(text.lowercased()) != nil else { return nil }
        return text.lowercased()
    }
}

extension ImmichResponse.Item {
    private enum CodingKeys: String, CodingKey {
        case id, ownerId, originalFileName, originalPath, checksum, libraryId, visibility, fileCreatedAt, localDateTime
        case fileModifiedAt, createdAt, isFavorite, isTrashed, isOffline, isEdited, livePhotoVideoId, exifInfo, stack
    }

    private struct Exif: Decodable {
        let fileSizeInByte: Int64?
        let latitude: Double?
        let longitude: Double?
        let description: String?
        let rating: Int?
    }

    private struct Stack: Decodable {
        let id: String
    }

    init(from decoder: any Decoder) throws {
        guard let members = try? decoder.container(keyedBy: CodingKeys.self) else {
            (asset, label) = (nil, "")
            return
        }
        func text(_ key: CodingKeys) -> String? { (try? members.decodeIfPresent(String.self, forKey: key)) ?? nil }
        func flag(_ key: CodingKeys) -> Bool {
            ((try? members.decodeIfPresent(Bool.self, forKey: key)) ?? nil) ?? false
        }
        func moment(_ key: CodingKeys) -> Timestamp? {
            text(key).flatMap { Timestamp($0) }.flatMap { CaptureDate($0)?.moment }
        }
        label = text(.originalFileName) ?? text(.id) ?? ""
        guard let id = ImmichResponse.id(text(.id)), let owner = ImmichResponse.id(text(.ownerId)),
            let name = text(.originalFileName), let modified = text(.fileModifiedAt).flatMap({ Timestamp($0) }),
            let visibility = ImmichAsset.Visibility(rawValue: text(.visibility) ?? "")
        else {
            asset = nil
            return
        }
        var read = ImmichAsset(id: id, ownerID: owner, name: name, visibility: visibility, modified: modified)
        read.sha1 = Self.sha1(text(.checksum), isExternal: text(.libraryId) != nil, path: text(.originalPath))
        read.taken = moment(.fileCreatedAt)
        read.year =
            text(.localDateTime).flatMap { Timestamp($0) == nil ? nil : Int($0.prefix(4)) } ?? read.taken?.month.year
        read.added = moment(.createdAt)
        read.videoID = ImmichResponse.id(text(.livePhotoVideoId))
        (read.isFavorite, read.isTrashed) = (flag(.isFavorite), flag(.isTrashed))
        (read.isOffline, read.isEdited) = (flag(.isOffline), flag(.isEdited))
        read.isStacked = ((try? members.decodeIfPresent(Stack.self, forKey: .stack)) ?? nil) != nil
        let exif = (try? members.decodeIfPresent(Exif.self, forKey: .exifInfo)) ?? nil
        read.hasMetadata = exif != nil
        read.size = exif?.fileSizeInByte.flatMap { (1...Self.largestFile).contains($0) ? $0 : nil }
        if let latitude = exif?.latitude, let longitude = exif?.longitude {
            read.location = GeoLocation(latitude: latitude, longitude: longitude)
        }
        (read.caption, read.rating) = (exif?.description, exif?.rating)
        asset = read
    }
}
