import ForeignExports
import HTTPTypes
import NIOCore
import PhotoCatalog
import PhotolalaTesting
import Testing
import Transport

@testable import ImmichAPI

@Suite struct ImmichServerTests {
    private static func server(_ fake: FakeImmich, key: String = FakeImmich.key) -> ImmichServer {
        ImmichServer(address: FakeImmich.address, key: key, transport: fake, pause: .none)
    }

    private static func error(_ fake: FakeImmich, key: String = FakeImmich.key) async -> ImmichError? {
        do throws(ImmichError) {
            _ = try await server(fake, key: key).content()
            return nil
        } catch { return error }
    }

    @Test("all pages of all visibilities are listed, with the facts of each photo")
    func listing() async throws {
        var photos = (10..<17).map { FakeImmich.Asset($0, "IMG_\($0).jpg") }
        (photos[0].latitude, photos[0].longitude, photos[0].caption, photos[0].rating) = (48.5, 11.5, "Lake", 4)
        photos[1].visibility = "archive"
        photos[2].visibility = "hidden"
        photos[3].isTrashed = true
        photos[3].isFavorite = true
        photos[4].taken = "2022-12-31T23:30:00.000Z"
        photos[4].local = "2023-01-01T01:30:00.000Z"
        let fake = FakeImmich(photos, albums: [FakeImmich.Album(50, "Rome", [10, 11])])
        fake.state.withLock { $0.largestPage = 2 }
        let content = try await Self.server(fake).content()
        #expect(content.accountID == FakeImmich.bob && content.version == "2.4.1")
        let assets = Dictionary(uniqueKeysWithValues: content.assets.map { ($0.id, $0) })
        #expect(assets.count == 7)
        let first = try #require(assets[FakeImmich.id(10)])
        #expect(first.location == GeoLocation(latitude: 48.5, longitude: 11.5))
        #expect(first.caption == "Lake" && first.rating == 4 && first.size == Int64(photos[0].bytes.count))
        #expect(first.taken == Timestamp("2023-07-01T10:00:00Z") && first.sha1?.count == 20)
        #expect(assets[FakeImmich.id(11)]?.visibility == .archive)
        #expect(assets[FakeImmich.id(12)]?.visibility == .hidden)
        #expect(assets[FakeImmich.id(13)].map { $0.isTrashed && $0.isFavorite } == true)
        #expect(assets[FakeImmich.id(14)]?.year == 2023, "the year on the clock of the place")
        #expect(content.albums.map(\.title) == ["Rome"])
        #expect(content.albums.first?.assets == [FakeImmich.id(10), FakeImmich.id(11)])
        #expect(content.notUnderstood.isEmpty)
    }

    @Test("a photo whose metadata Immich has not read is listed too")
    func withoutMetadata() async throws {
        var photo = FakeImmich.Asset(10, "new.jpg")
        photo.hasMetadata = false
        let content = try await Self.server(FakeImmich([photo])).content()
        #expect(content.assets.map(\.hasMetadata) == [false])
    }

    @Test("a listing whose pages move while it is read is read again")
    func movingPages() async throws {
        let photos = (10..<14).map { number in
            var photo = FakeImmich.Asset(number, "IMG_\(number).jpg")
            photo.taken = "2023-07-01T10:00:\(number).000Z"
            return photo
        }
        let fake = FakeImmich(photos)
        fake.state.withLock { state in
            state.largestPage = 2
            // The second search finds an older photo before all others.
            state.onSearch = { state in
                guard state.requests.count == 4 else { return }
                var old = FakeImmich.Asset(9, "old.jpg")
                old.taken = "2020-01-01T00:00:00.000Z"
                state.assets.append(old)
            }
        }
        let content = try await Self.server(fake).content()
        #expect(content.assets.count == 5)
        #expect(fake.requests("/search/metadata").count == 13, "three pages three times, and four empty ones")
    }

    @Test("a listing whose pages move each time is an error, not a part of the photos")
    func neverAtRest() async throws {
        let fake = FakeImmich((10..<14).map { FakeImmich.Asset($0, "IMG_\($0).jpg") })
        fake.state.withLock { state in
            state.largestPage = 2
            state.onSearch = { state in
                var old = FakeImmich.Asset(100 + state.requests.count, "old.jpg")
                old.taken = "2020-01-01T00:00:00.000Z"
                state.assets.append(old)
            }
        }
        await #expect(throws: ImmichError.changing) { try await Self.server(fake).content() }
    }

    @Test("an asset that is not as documented is named, and the others are listed")
    func notUnderstood() async throws {
        var photos = (10..<15).map { FakeImmich.Asset($0, "IMG_\($0).jpg") }
        photos[0].replaced = ["id": "../../etc"]
        photos[1].replaced = ["originalFileName": nil]
        photos[2].replaced = ["fileModifiedAt": "yesterday"]
        photos[3].replaced = ["visibility": "secret"]
        let content = try await Self.server(FakeImmich(photos)).content()
        #expect(content.assets.map(\.id) == [FakeImmich.id(14)])
        #expect(content.notUnderstood == [FakeImmich.id(11), "IMG_10.jpg", "IMG_12.jpg", "IMG_13.jpg"])
    }

    @Test("the checksum of a file in an external library is not one of its bytes", arguments: [true, false])
    func externalLibrary(_ namesLibrary: Bool) async throws {
        var photo = FakeImmich.Asset(10, "a.jpg")
        photo.libraryID = FakeImmich.id(99)
        if !namesLibrary { photo.replaced = ["libraryId": nil] }
        let content = try await Self.server(FakeImmich([photo])).content()
        #expect(content.assets.map(\.sha1) == [nil])
    }

    @Test("the key is sent only to the given server, and not before it has answered as Immich")
    func key() async throws {
        let fake = FakeImmich([FakeImmich.Asset(10, "a.jpg")])
        _ = try await Self.server(fake).content()
        let requests = fake.state.withLock { $0.requests }
        let name = try #require(HTTPField.Name("x-api-key"))
        #expect(requests.allSatisfy { $0.url.hasPrefix("\(FakeImmich.address)/api/") })
        #expect(requests.first?.headers[name] == nil)
        #expect(requests.dropFirst().allSatisfy { $0.headers[name] == FakeImmich.key })
        #expect(requests.allSatisfy { $0.timeout == ImmichServer.timeout && $0.collectedLength != nil })
    }

    @Test("a missing permission is named", arguments: ["user.read", "asset.read", "album.read"])
    func permission(_ name: String) async throws {
        let fake = FakeImmich()
        fake.state.withLock { _ = $0.permissions.remove(name) }
        #expect(await Self.error(fake) == .permissionMissing(name))
    }

    @Test("a refused key, an older version and an unknown newer one are refused")
    func refusals() async throws {
        #expect(await Self.error(FakeImmich(), key: "other") == .keyRefused)
        let old = FakeImmich()
        old.state.withLock { $0.major = 1 }
        #expect(await Self.error(old) == .versionNotSupported("1.4.1"))
        let new = FakeImmich()
        new.state.withLock { $0.major = 99 }
        let error = await Self.error(new)
        #expect(error == .versionNotSupported("99.4.1"))
        #expect(error?.message == "Immich 99.4.1 is not supported, only versions 2 to 3. Update photolala.")
    }
}
