import PhotolalaTesting
import Testing

@testable import PhotoCatalog

/// The videos of Live Photos.
@Suite struct LivePhotoTests {
    private func entry(_ path: String, _ seed: Int, _ type: MediaType, _ taken: String? = nil) throws -> CatalogEntry {
        CatalogEntry(
            path: try #require(LibraryPath(path)), md5: try .seeded(seed), size: 10,
            modified: Timestamp(seconds: Int64(seed) * 1000, nanoseconds: 0), type: type,
            media: MediaFacts(taken: try taken.map { try #require(CaptureDate($0)) }))
    }

    /// Returns the path of the video that the first entry has among all.
    private func video(_ entries: [CatalogEntry]) -> String? {
        let others = (0..<300).compactMap { try? entry("a/IMG_\(1000 + $0).JPG", 100 + $0, .jpeg) }
        return Catalog(entries + others).entries.liveVideo(of: entries[0])?.path.description
    }

    @Test("a Live Photo has the video with its name in its folder")
    func pair() throws {
        let picture = try entry("a/IMG_1.HEIC", 1, .heic, "2024-05-14T10:00:00+09:00")
        let date = "2024-05-14T10:00:02+09:00"
        #expect(video([picture, try entry("a/IMG_1.MOV", 2, .quickTime, date)]) == "a/IMG_1.MOV")
        #expect(video([picture, try entry("a/IMG_1.mp4", 2, .mp4)]) == "a/IMG_1.mp4")
        // The video's local time is UTC.
        #expect(video([picture, try entry("a/IMG_1.MOV", 2, .quickTime, "2024-05-14T01:00:03Z")]) == "a/IMG_1.MOV")
    }

    @Test(
        "a file of another name, folder, type or time is no video of a Live Photo",
        arguments: [
            ("a/IMG_2.MOV", MediaType.quickTime, nil), ("b/IMG_1.MOV", .quickTime, nil), ("a/IMG_1.jpg", .jpeg, nil),
            ("a/IMG_1.MOV", .quickTime, "2024-05-14T10:00:30+09:00"), ("a/IMG_1.x.MOV", .quickTime, nil),
            ("a/IMG_1.x/IMG_1.MOV", .quickTime, nil),
        ] as [(String, MediaType, String?)])
    func others(_ path: String, _ type: MediaType, _ taken: String?) throws {
        let picture = try entry("a/IMG_1.HEIC", 1, .heic, "2024-05-14T10:00:00+09:00")
        #expect(video([picture, try entry(path, 2, type, taken)]) == nil)
    }

    @Test("a video has no video")
    func videos() throws {
        #expect(video([try entry("a/IMG_1.mp4", 1, .mp4), try entry("a/IMG_1.MOV", 2, .quickTime)]) == nil)
    }
}
