import Foundation
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Output of the creation of previews") struct PreviewsResultTests {
    private func result(
        missing: Int, created: Int, renewed: Int = 0, colored: Int = 0, described: Int = 0, archivedDetails: Int = 0,
        lacksTool: Bool = false, videos: Int = 0, more: String = ""
    ) throws -> PreviewsResult {
        let report = """
            {"missing": \(missing), "created": \(created), "colored": \(colored), "renewed": \(renewed), "described": \(described), \
            "archivedDetails": \(archivedDetails), "notCreated": [], "skipped": 0, \
            "archived": [], "failures": [], "lacksThumbnailTool": \(lacksTool), "videosWithoutTool": \(videos)\(more)}
            """
        return PreviewsResult(report: try JSONDecoder().decode(PreviewReport.self, from: Data(report.utf8)))
    }

    @Test("added colors are counted, also if no previews are missing")
    func colors() throws {
        let only = try result(missing: 0, created: 0, colored: 1200)
        #expect(only.text == "No previews are missing.\nAdded the placeholder colors of 1200 photos.")
        #expect(only.status == .done)
        let both = try result(missing: 2, created: 2, colored: 1)
        #expect(both.text == "Created previews of 2 of 2 photos.\nAdded the placeholder colors of 1 photo.")
        #expect(try result(missing: 2, created: 2, colored: 0).text == "Created previews of 2 of 2 photos.")
    }

    @Test("renewed thumbnails are counted")
    func renewed() throws {
        let result = try result(missing: 3, created: 3, renewed: 2)
        #expect(result.text == "Created previews of 3 of 3 photos.\nRenewed the thumbnails of 2 photos.")
        #expect(result.status == .done)
    }

    @Test("added cameras and durations are counted, also without the tool, and those that are archived")
    func details() throws {
        let only = try result(missing: 0, created: 0, described: 7, archivedDetails: 2)
        #expect(
            only.text
                == "No previews are missing.\nAdded the camera or duration of 7 photos.\n"
                + "Camera or duration of 2 photos not read: archived in the photo store.")
        #expect(only.status == .done)
        let without = try result(missing: 1, created: 0, described: 1, lacksTool: true)
        #expect(without.text.hasSuffix("\nAdded the camera or duration of 1 photo."))
    }

    @Test("videos without previews are counted if ffmpeg is not installed, and photos if libvips is not")
    func uninstalled() throws {
        let videos = try result(missing: 0, created: 0, videos: 3)
        #expect(
            videos.text
                == "No previews created of 3 videos: ffmpeg is not installed (Debian, Ubuntu: apt install ffmpeg; "
                + "macOS: brew install ffmpeg).")
        #expect(videos.status == .someFilesFailed)
        let both = try result(missing: 2, created: 2, videos: 1)
        #expect(both.text.hasPrefix("Created previews of 2 of 2 photos.\nNo previews created of 1 video: ffmpeg"))
        let photos = try result(missing: 12, created: 0, lacksTool: true)
        #expect(photos.text.hasPrefix("No previews created of 12 photos: photolala-thumbnailer or libvips is not"))
        #expect(photos.status == .someFilesFailed)
    }

    @Test("a tool that fails with a correct file is named, with the remedy")
    func brokenTool() throws {
        func failure(_ isOfVideos: Bool) -> String {
            #", "toolFailure": {"isOfVideos": \#(isOfVideos), "detail": "worker\u001b ended"}"#
        }
        let photos = try result(missing: 9, created: 0, more: failure(false))
        #expect(
            photos.text
                == "Created previews of 0 of 9 photos.\nStopped: photolala-thumbnailer creates no thumbnail of a "
                + "correct photo (worker\u{FFFD} ended). Reinstall photolala and libvips, and run the same command again."
        )
        #expect(photos.status == .someFilesFailed)
        let videos = try result(missing: 0, created: 0, more: failure(true))
        #expect(videos.text.hasPrefix("Stopped: ffmpeg creates no thumbnail of a correct video"))
    }
}
