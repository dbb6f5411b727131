import PhotoCatalog
import PhotolalaTesting
import Testing

@testable import PhotoSync

/// Stored thumbnails and previews that are no JPEGs, are cut off, or have false dimensions.
@Suite struct DamagedPictureTests {
    private typealias Maker = RenewalFixture.Maker

    private let fixture: RenewalFixture

    init() throws { fixture = try RenewalFixture() }

    @Test(
        "a damaged thumbnail, or one with dimensions that no thumbnail has, is renewed",
        arguments: [
            RenewalFixture.garbage, [], Array(RenewalFixture.large.dropLast(3)),
            PhotoBytes.picture(5, width: 1025, height: 700), PhotoBytes.picture(5, width: 700, height: 60_000),
            PhotoBytes.picture(5, width: 512, length: 256 << 10 + 1),
        ])
    func renewed(_ bytes: [UInt8]) async throws {
        try await fixture.addPhotos()
        try await fixture.put(.thumbnail, bytes, of: PhotoBytes.jpeg(3))
        #expect(try await fixture.fill(Maker()).renewed == 4)
        #expect(try await fixture.stored(.thumbnail, of: PhotoBytes.jpeg(3)) == RenewalFixture.large)
    }

    @Test("the damaged thumbnail of a photo that is known to be small is renewed")
    func smallPhoto() async throws {
        let photo = PhotoBytes.jpeg(1)
        try await fixture.library.add([("a.jpg", .jpeg, photo)], known: MediaFacts(width: 200, height: 256))
        try await fixture.put(.thumbnail, RenewalFixture.garbage, of: photo)
        #expect(try await fixture.fill(Maker(makes: RenewalFixture.small)).renewed == 1)
        #expect(try await fixture.stored(.thumbnail, of: photo) == RenewalFixture.small)
    }

    @Test("a thumbnail that stays small is made again once on each device")
    func staysSmall() async throws {
        try await fixture.library.add([("a.jpg", .jpeg, PhotoBytes.jpeg(1))])
        try await fixture.put(.thumbnail, RenewalFixture.small, of: PhotoBytes.jpeg(1))
        let other = Maker(makes: PhotoBytes.picture(6, width: 160, height: 120))
        #expect(try await fixture.fill(Maker(makes: RenewalFixture.small)).renewed == 1)
        #expect(try await fixture.fill(other, device: "b").renewed == 1)
        #expect(try await fixture.fill(Maker(makes: RenewalFixture.small)).outdated == 0)
        #expect(try await fixture.fill(other, device: "b").outdated == 0)
    }

    @Test(
        "a thumbnail to renew is made of the original if the preview is damaged, and the preview is, too",
        arguments: [RenewalFixture.garbage, RenewalFixture.undecodable])
    func damagedPreview(_ bytes: [UInt8]) async throws {
        try await fixture.addPhotos()
        try await fixture.put(.preview, bytes, of: RenewalFixture.heic)
        let summary = try await fixture.fill(Maker())
        #expect(summary.renewed == 3 && summary.failures.isEmpty && summary.notMade.isEmpty)
        #expect(try await fixture.stored(.thumbnail, of: RenewalFixture.heic) == RenewalFixture.large)
        #expect(try await fixture.stored(.preview, of: RenewalFixture.heic) == RenewalFixture.preview)
    }

    @Test("a verification makes damaged previews and thumbnails again, and leaves small ones")
    func verified() async throws {
        try await fixture.addPhotos()
        try await fixture.put(.thumbnail, RenewalFixture.garbage, of: PhotoBytes.jpeg(2))
        try await fixture.put(.preview, RenewalFixture.garbage, of: RenewalFixture.heic)
        let unverified = try await fixture.fill(Maker(), renews: false)
        #expect(unverified.missing == 0 && unverified.outdated == nil)
        let summary = try await fixture.fill(Maker(), renews: false, verifies: true)
        #expect(summary.missing == 1 && summary.made == 1 && summary.outdated == 1 && summary.renewed == 1)
        #expect(try await fixture.stored(.preview, of: RenewalFixture.heic) == RenewalFixture.preview)
        #expect(try await fixture.stored(.thumbnail, of: PhotoBytes.jpeg(2)) == RenewalFixture.large)
        for photo in [PhotoBytes.jpeg(1), RenewalFixture.heic] {
            #expect(try await fixture.stored(.thumbnail, of: photo) == RenewalFixture.small)
        }
        let again = try await fixture.fill(Maker(), renews: false, verifies: true)
        #expect(again.missing == 0 && again.outdated == 0)
    }

    @Test("a verification also reads thumbnails that were examined before")
    func verifiedAgain() async throws {
        try await fixture.addPhotos()
        #expect(try await fixture.fill(Maker()).renewed == 3)
        fixture.library.store.clearLog()
        #expect(try await fixture.fill(Maker(), verifies: true).outdated == 0)
        #expect(fixture.library.store.count("get", "thumbnails/") == 5)
    }
}
