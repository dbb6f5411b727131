import ForeignExports
import NIOCore
import PhotoCatalog
import Testing

@testable import ImmichAPI

@Suite struct ImmichResponseTests {
    private static let members = [
        "id": "\"00000000-0000-4000-8000-00000000000a\"", "ownerId": "\"00000000-0000-4000-8000-000000000001\"",
        "originalFileName": "\"a.jpg\"", "fileModifiedAt": "\"2023-07-01T10:00:00.000Z\"",
        "visibility": "\"timeline\"", "checksum": "\"AAECAwQFBgcICQoLDA0ODxAREhM=\"", "isFavorite": "true",
        "fileCreatedAt": "\"2023-07-01T10:00:00.000Z\"",
    ]
    private static let exif = [
        "fileSizeInByte": "5000", "latitude": "48.5", "longitude": "11.5", "description": "\"Lake\"", "rating": "4",
        "fNumber": "1.8",
    ]

    private static func object(_ members: [String: String]) -> String {
        "{" + members.map { "\"\($0)\":\($1)" }.sorted().joined(separator: ",") + "}"
    }

    private static func asset(
        _ changes: [String: String] = [:], exif: [String: String] = [:]
    ) throws -> ImmichAsset? {
        var members = members.merging(changes) { $1 }
        if members["exifInfo"] == nil { members["exifInfo"] = object(Self.exif.merging(exif) { $1 }) }
        let bytes = ByteBuffer(string: object(members))
        return try ImmichResponse.decode(ImmichResponse.Item.self, from: bytes, of: .albums).asset
    }

    @Test(
        "a fact of a wrong type is unknown, and the others stay",
        arguments: [
            ("fileSizeInByte", "null"), ("fileSizeInByte", "\"5000\""), ("latitude", "{}"), ("description", "[]"),
            ("rating", "\"four\""), ("fNumber", "\"f/1.8\""), ("fileSizeInByte", "1e99"), ("rating", "4.5"),
        ])
    func facts(_ name: String, _ value: String) throws {
        let asset = try #require(try Self.asset(exif: [name: value]))
        #expect(asset.hasMetadata && asset.isFavorite && asset.sha1?.count == 20)
        #expect(asset.size == (name == "fileSizeInByte" ? nil : 5000))
        #expect(asset.caption == (name == "description" ? nil : "Lake"))
        #expect(asset.rating == (name == "rating" ? nil : 4))
        #expect((asset.location == nil) == (name == "latitude"))
    }

    @Test(
        "a wrong type outside of the metadata costs only its fact",
        arguments: [
            "isFavorite", "fileCreatedAt", "livePhotoVideoId", "stack", "localDateTime", "exifInfo", "createdAt",
        ])
    func otherFacts(_ name: String) throws {
        let asset = try #require(try Self.asset([name: "7"]))
        #expect(asset.isFavorite == (name != "isFavorite"))
        #expect((asset.taken == nil) == (name == "fileCreatedAt"))
        #expect(asset.hasMetadata == (name != "exifInfo") && !asset.isStacked)
    }

    @Test(
        "an asset whose identity is not as documented is not read",
        arguments: [
            ("id", "7"), ("ownerId", "null"), ("originalFileName", "7"), ("checksum", "7"), ("checksum", "\"abc\""),
            ("checksum", "{}"), ("fileModifiedAt", "7"), ("visibility", "7"),
        ])
    func identity(_ name: String, _ value: String) throws {
        #expect(try Self.asset([name: value]) == nil)
    }

    @Test("an asset without a checksum is read without one, and one of an external library never has one")
    func withoutChecksum() throws {
        let without = try #require(try Self.asset(["checksum": "null"]))
        #expect(without.sha1 == nil)
        let external = try #require(try Self.asset(["libraryId": "7"]))
        #expect(external.sha1 == nil)
    }

    @Test("an album that is not as documented has no id or title, and does not fail the list")
    func albums() throws {
        let id = "\"00000000-0000-4000-8000-00000000000b\""
        let text = """
            [{"id":\(id),"albumName":"Rome","assetCount":"2","createdAt":7},{"id":7,"albumName":"Oslo"},
             {"id":\(id),"albumName":null},7]
            """
        let albums = try ImmichResponse.decode([ImmichResponse.Album].self, from: ByteBuffer(string: text), of: .albums)
        #expect(albums.map(\.title) == ["Rome", "Oslo", nil, nil])
        #expect(albums.map { $0.id == nil } == [false, true, false, true])
        #expect(albums[0].assetCount == nil && albums[0].created == nil)
    }
}
