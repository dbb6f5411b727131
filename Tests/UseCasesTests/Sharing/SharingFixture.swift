import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Sharing
import Testing

@testable import UseCases

/// Bob, with the photos 1, 2 and 3 in his library, and visitors of his links.
struct SharingFixture {
    let service: TestService
    let bob: SignedIn

    /// What no visitor may receive, in each original.
    static let place = "48.8584N,2.2945E"

    var sharing: SharingService { service.services.sharing }
    var visits: SharedLinkVisits { service.services.sharedLinkVisits }
    var library: LibraryService { service.services.library }
    var user: UserID { bob.user.serviceUserID }
    var caller: Caller { get async throws { try await service.caller(bob.session) } }

    init(_ options: TestService.Options = TestService.Options()) async throws {
        service = try await TestService.make(options)
        bob = try await service.signUp(.apple, "bob")
        for seed in 1...3 as ClosedRange<UInt8> {
            let key = ObjectKey(known: StorageLayout.photo(user, md5: "\(Self.md5(seed))"))
            _ = try await service.store.put(key, Self.photo(seed), if: .always)
        }
        let new = (1...3 as ClosedRange<UInt8>).map {
            NewPhoto(path: "secret/\($0).jpg", md5: "\(Self.md5($0))", modifiedAt: service.clock.now)
        }
        _ = try await service.services.libraryUploads.addPhotos(NewPhotos(photos: new), caller: try await caller)
    }

    /// Returns a JPEG file with a place in an EXIF block that is not TIFF.
    static func photo(_ seed: UInt8) -> ByteBuffer {
        let exif = Array("Exif\0\0\(place)".utf8)
        let bytes: [UInt8] = [0xff, 0xd8, 0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif
        return ByteBuffer(bytes: bytes + picture(seed))
    }

    /// Returns a photo's frame of one pixel, a scan of one byte that tells the photos apart, and the end.
    static func picture(_ seed: UInt8) -> [UInt8] {
        [0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, seed, 0xff, 0xd9]
    }

    static func md5(_ seed: UInt8) -> ContentDigest { ContentDigest(of: photo(seed)) }

    func options(
        title: String = "Summer", days: Double? = 30, password: SharingService.PasswordChange = .keep,
        downloads: Bool = true, location: Bool = false
    ) -> SharingService.Options {
        SharingService.Options(
            title: title, expiresAt: days.map { service.clock.now.addingTimeInterval($0 * 86_400) },
            password: password, allowsDownloads: downloads, includesLocation: location)
    }

    /// Shares photos by their numbers.
    func share(_ photos: [UInt8], _ options: SharingService.Options? = nil) async throws -> SharedLink {
        try await sharing.create(to: Set(photos.map(Self.md5)), options ?? self.options(), try await caller).get()
    }

    func album(_ name: String, _ photos: [UInt8]) async throws -> AlbumID {
        let created = try await library.createAlbum(named: name, with: Set(photos.map(Self.md5)), caller: caller)
        guard case .named(let id) = created.naming else { throw ServiceError.notFound }
        return id
    }

    /// Returns the photos that a visitor sees; `nil` if the link asks for a password.
    func open(_ link: SharedLink, pass: String? = nil) async throws -> SharedPhotos? {
        switch try await visits.open(link.token.description, pass: pass) {
        case .photos(let photos): photos
        case .passwordRequired: nil
        }
    }

    func shown(_ link: SharedLink, pass: String? = nil) async throws -> Set<ContentDigest>? {
        try await open(link, pass: pass).map { Set($0.timeline.photos.map(\.md5)) }
    }

    /// Expects that a link opens nothing.
    func expectClosed(_ link: SharedLink, _ location: SourceLocation = #_sourceLocation) async {
        await #expect(throws: ServiceError.notFound, sourceLocation: location) { _ = try await open(link) }
    }

    func acts() async throws -> [AuditAction] { try await service.auditEvents(of: user) }
}
