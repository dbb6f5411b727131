import Foundation
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Output of the creation of previews") struct PreviewsResultTests {
    private func result(
        missing: Int, created: Int, toRenew: Int? = nil, renewed: Int = 0, colored: Int = 0, described: Int = 0,
        archivedDetails: Int = 0,
        lacksTool: Bool = false, videos: Int = 0, failures: String = "", more: String = ""
    ) throws -> PreviewsResult {
        let report = """
            {"missing": \(missing), "created": \(created), "colored": \(colored), "renewed": \(renewed), "described": \(described), \
            \(toRenew.map { "\"thumbnailsToRenew\": \($0), " } ?? "")\
            "archivedDetails": \(archivedDetails), "notCreated": [], "skipped": 0, \
            "archived": [], "failures": [\(failures)], "lacksThumbnailTool": \(lacksTool), "videosWithoutTool": \(videos)\(more)}
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

    @Test(
        "renewed thumbnails are counted apart from created previews",
        arguments: [
            (0, 0, nil, 0, "No previews are missing."),
            (0, 0, 0, 0, "No previews are missing.\nNo thumbnails need to be renewed."),
            (0, 0, 1, 1, "No previews are missing.\nRenewed 1 of 1 thumbnail."),
            (1, 1, 7, 6, "Created previews of 1 of 1 photo.\nRenewed 6 of 7 thumbnails."),
            (8, 7, 0, 0, "Created previews of 7 of 8 photos.\nNo thumbnails need to be renewed."),
        ] as [(Int, Int, Int?, Int, String)])
    func renewed(_ missing: Int, _ created: Int, _ toRenew: Int?, _ renewed: Int, _ text: String) throws {
        let result = try result(missing: missing, created: created, toRenew: toRenew, renewed: renewed)
        #expect(result.text == text && result.status == .done)
    }

    @Test("photos that exceed the quota are counted in one line, and others that failed are listed")
    func quota() throws {
        func failure(_ path: String, _ code: String, _ reason: String) -> String {
            #"{"path": "\#(path)", "code": "\#(code)", "reason": "\#(reason)"}"#
        }
        let stopped = #", "stopped": {"code": "quota_exceeded", "detail": "Stopped: quota exceeded."}"#
        let refused = (1...8).map { failure("\($0).jpg", "quota_exceeded", "quota exceeded") }
        let only = try result(missing: 9, created: 0, failures: refused.joined(separator: ","), more: stopped)
        #expect(
            only.text
                == "Created previews of 0 of 9 photos.\nPreviews of 8 photos not uploaded: quota exceeded.\n"
                + "Stopped: quota exceeded. Run the same command again to resume.")
        let all = [failure("9.jpg", "photo_damaged", "stored photo is damaged")] + refused.prefix(1)
        let both = try result(missing: 9, created: 0, failures: all.joined(separator: ","))
        #expect(
            both.text
                == "Created previews of 0 of 9 photos.\nFailed to process 1 photo:\n"
                + "  9.jpg: stored photo is damaged\nPreviews of 1 photo not uploaded: quota exceeded.")
        #expect(both.status == .someFilesFailed)
    }

    @Test(
        "what exceeds the quota is named as what was to be created",
        arguments: [
            (0, 2, "Thumbnails of 1 photo"), (3, 2, "Previews or thumbnails of 1 photo"), (3, 0, "Previews of 1 photo"),
        ])
    func refusedKind(_ missing: Int, _ toRenew: Int, _ text: String) throws {
        let failure = #"{"path": "1.jpg", "code": "quota_exceeded", "reason": "quota exceeded"}"#
        let result = try result(missing: missing, created: 0, toRenew: toRenew, failures: failure)
        #expect(result.text.split(separator: "\n").contains("\(text) not uploaded: quota exceeded."))
    }

    @Test("a run that stopped before it knew what is missing does not say that nothing is")
    func stoppedEarly() throws {
        let stopped = #", "stopped": {"code": "temporarily_unavailable", "detail": "Photo store unavailable."}"#
        let result = try result(missing: 0, created: 0, more: stopped)
        #expect(result.text == "Photo store unavailable. Run the same command again to resume.")
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
