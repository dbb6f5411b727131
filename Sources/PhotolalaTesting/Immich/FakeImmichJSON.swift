import Crypto
import Foundation

/// Answers of Immich, with all members that its specification requires.
enum FakeImmichJSON {
    private static let moment = "2024-01-01T00:00:00.000Z"

    static func album(_ id: String, _ title: String, count: Int) -> [String: Any] {
        [
            "id": id, "albumName": title, "description": "", "createdAt": moment, "updatedAt": moment,
            "albumThumbnailAssetId": NSNull(), "shared": false, "albumUsers": [Any](), "hasSharedLink": false,
            "assets": [Any](), "owner": user, "ownerId": FakeImmich.bob, "assetCount": count,
            "isActivityEnabled": true,
        ]
    }

    private static func orNull(_ value: Any?) -> Any { value ?? NSNull() }

    private static var user: [String: Any] {
        [
            "id": FakeImmich.bob, "name": "Bob", "email": "bob@example.org", "profileImagePath": "",
            "avatarColor": "primary", "profileChangedAt": moment,
        ]
    }

    static func search(_ items: [Any], next: Any) -> [String: Any] {
        [
            "albums": ["total": 0, "count": 0, "items": [Any](), "facets": [Any]()],
            "assets": [
                "total": items.count, "count": items.count, "items": items, "facets": [Any](), "nextPage": next,
            ],
        ]
    }

    static func asset(_ asset: FakeImmich.Asset, withExif: Bool) -> [String: Any] {
        let path = "/data/upload/\(asset.id).jpg"
        // Immich has no checksum of the bytes of a file in an external library.
        let hashed = asset.libraryID == nil ? Data(asset.bytes) : Data("path:\(path)".utf8)
        var json: [String: Any] = [
            "id": asset.id, "createdAt": asset.added, "deviceAssetId": asset.name, "deviceId": "CLI",
            "ownerId": asset.owner, "type": asset.visibility == "hidden" ? "VIDEO" : "IMAGE", "originalPath": path,
            "originalFileName": asset.name, "originalMimeType": "image/jpeg", "thumbhash": NSNull(),
            "fileCreatedAt": asset.taken, "fileModifiedAt": asset.taken, "localDateTime": asset.local,
            "updatedAt": moment, "isFavorite": asset.isFavorite, "isArchived": asset.visibility == "archive",
            "isTrashed": asset.isTrashed, "isOffline": asset.isOffline, "visibility": asset.visibility,
            "duration": "0:00:00.00000", "livePhotoVideoId": orNull(asset.video), "hasMetadata": true,
            "people": [Any](), "checksum": Data(Insecure.SHA1.hash(data: hashed)).base64EncodedString(),
            "duplicateId": NSNull(), "resized": true, "width": 100, "height": 100, "isEdited": false,
            "libraryId": orNull(asset.libraryID),
        ]
        if withExif { json["exifInfo"] = exif(asset) }
        for (name, value) in asset.replaced { json[name] = value }
        return json
    }

    private static func exif(_ asset: FakeImmich.Asset) -> [String: Any] {
        [
            "fileSizeInByte": asset.bytes.count, "dateTimeOriginal": asset.taken, "timeZone": "UTC+2",
            "latitude": orNull(asset.latitude), "longitude": orNull(asset.longitude), "make": NSNull(),
            "description": asset.caption, "rating": orNull(asset.rating), "city": NSNull(),
        ]
    }
}
