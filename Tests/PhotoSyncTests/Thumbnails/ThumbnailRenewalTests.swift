import PhotoCatalog
import PhotolalaTesting
import Testing

@testable import PhotoSync

/// Thumbnails of earlier versions, which have at most 256 pixels a side.
@Suite struct ThumbnailRenewalTests {
    private typealias Maker = RenewalFixture.Maker

    private let fixture: RenewalFixture
    private var library: StoredLibrary { fixture.library }

    init() throws { fixture = try RenewalFixture() }

    @Test("small thumbnails are made again, of the preview if there is one, and large ones are kept")
    func renewed() async throws {
        try await fixture.addPhotos()
        let maker = Maker()
        let summary = try await fixture.fill(maker)
        #expect(summary.ending == .completed && summary.outdated == 3 && summary.renewed == 3)
        #expect(summary.missing == 0 && summary.made == 0)
        for photo in (1...3).map({ PhotoBytes.jpeg($0) }) + [RenewalFixture.heic] {
            #expect(try await fixture.stored(.thumbnail, of: photo) == RenewalFixture.large)
        }
        // The others are made of large thumbnails, for their colors.
        let files = maker.files.withLock { $0.filter { $0 != RenewalFixture.large } }
        #expect(
            Set(files) == [PhotoBytes.jpeg(1), PhotoBytes.jpeg(2), RenewalFixture.preview] && files.count == 3)
    }

    @Test("a second run reads and makes nothing, and another device only reads the thumbnails")
    func resumed() async throws {
        try await fixture.addPhotos()
        #expect(try await fixture.fill(Maker()).renewed == 3)
        library.store.clearLog()
        let again = Maker()
        #expect(try await fixture.fill(again).outdated == 0)
        #expect(library.store.count("get", "thumbnails/") == 0 && again.files.withLock { $0.isEmpty })
        #expect(try await fixture.fill(again, device: "b").progress.totalFiles == 0)
        #expect(library.store.count("get", "thumbnails/") == 4)
        #expect(library.store.count("write", "thumbnails/") == 0)
    }

    @Test("a thumbnail that is changed after it was examined is read again, and no other")
    func changed() async throws {
        try await fixture.addPhotos()
        #expect(try await fixture.fill(Maker()).renewed == 3)
        try await fixture.put(.thumbnail, RenewalFixture.garbage, of: PhotoBytes.jpeg(3))
        try await fixture.put(.thumbnail, RenewalFixture.small, of: PhotoBytes.jpeg(1))
        library.store.clearLog()
        // A thumbnail that was made here and is small is taken for one of a small photo.
        #expect(try await fixture.fill(Maker()).renewed == 1)
        #expect(library.store.count("get", "thumbnails/") == 2)
        #expect(try await fixture.stored(.thumbnail, of: PhotoBytes.jpeg(3)) == RenewalFixture.large)
    }

    @Test("without the option small thumbnails are left as they are")
    func unasked() async throws {
        try await fixture.addPhotos()
        let summary = try await fixture.fill(Maker(), renews: false)
        #expect(summary.progress.totalFiles == 0 && summary.outdated == nil)
        #expect(try await fixture.stored(.thumbnail, of: PhotoBytes.jpeg(1)) == RenewalFixture.small)
    }

    @Test("the thumbnail of a photo that is known to be small is kept")
    func smallPhoto() async throws {
        try await library.add(
            [("a.jpg", .jpeg, PhotoBytes.jpeg(1))], known: MediaFacts(width: 200, height: 256))
        try await fixture.put(.thumbnail, RenewalFixture.small, of: PhotoBytes.jpeg(1))
        #expect(try await fixture.fill(Maker()).outdated == 0)
    }

    @Test("an old thumbnail stays if the new one cannot be stored, and the next run resumes")
    func refused() async throws {
        try await fixture.addPhotos()
        library.fail { verb, key in verb == "write" && key.hasPrefix("thumbnails/") ? .quotaExceeded : nil }
        let summary = try await fixture.fill(Maker())
        #expect(summary.outdated == 3 && summary.renewed == 0 && summary.failures.count == 3)
        #expect(try await fixture.stored(.thumbnail, of: PhotoBytes.jpeg(1)) == RenewalFixture.small)
        library.fail(nil)
        #expect(try await fixture.fill(Maker()).renewed == 3)
    }

    @Test("a store that fails ends the search, and the run makes nothing")
    func unavailable() async throws {
        try await library.add((1...20).map { ("\($0).jpg", .jpeg, PhotoBytes.jpeg($0)) }, withPictures: true)
        library.fail { verb, key in verb == "get" && key.hasPrefix("thumbnails/") ? .unavailable("503") : nil }
        let summary = try await fixture.fill(Maker())
        guard case .stopped(.storeUnavailable) = summary.ending else {
            Issue.record("\(summary)")
            return
        }
        #expect(summary.outdated == nil && summary.renewed == 0)
        library.fail(nil)
        #expect(try await fixture.fill(Maker()).renewed == 20)
    }
}
