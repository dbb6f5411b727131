import PhotolalaClient

/// What is missing, or fails, on a device without thumbnails.
enum ThumbnailToolLines {
    static let missing =
        "photolala-thumbnailer or libvips is not installed (Debian, Ubuntu: apt install libvips42; macOS: brew install "
        + "vips)."

    static let missingForVideos =
        "ffmpeg is not installed (Debian, Ubuntu: apt install ffmpeg; macOS: brew install ffmpeg)."

    private static let later = "To create them later:  photolala previews"

    /// Describes a tool that fails with a correct file, and ended the command.
    static func stopped(_ failure: ThumbnailToolFailure) -> String {
        "Stopped: \(broken(failure)), and run the same command again."
    }

    /// Returns the lines about pictures that an upload did not create because something is missing or fails.
    /// - Parameter lacksTool: Whether photos have no pictures because none can be created.
    static func notCreated(lacksTool: Bool, videos: Int, _ failure: ThumbnailToolFailure?) -> [String] {
        if lacksTool { return ["No thumbnails created: \(missing) \(later)"] }
        var lines: [String] = []
        if videos > 0 {
            lines.append("No thumbnails of \(Counted.text(videos, "video")): \(missingForVideos) \(later)")
        }
        if let failure {
            lines.append("Failed: \(broken(failure)). \(later)")
        }
        return lines
    }

    /// Returns the lines of an import.
    static func notCreated(by photos: BackupReport) -> [String] {
        failed(photos.filesWithoutThumbnail)
            + notCreated(
                lacksTool: photos.photosWithoutTool != nil, videos: photos.videosWithoutTool, photos.toolFailure)
    }

    /// Returns the lines that name the files of which the tool created no thumbnail.
    static func failed(_ files: [String]?) -> [String] {
        guard let files else { return [] }
        return ["Failed to create \(Counted.text(files.count, "thumbnail")):"] + FailureLines.lines(files)
    }

    private static func broken(_ failure: ThumbnailToolFailure) -> String {
        let (tool, remedy) =
            failure.isOfVideos
            ? ("ffmpeg creates no thumbnail of a correct video", "Reinstall ffmpeg")
            : ("photolala-thumbnailer creates no thumbnail of a correct photo", "Reinstall photolala and libvips")
        return "\(tool) (\(Terminal.sanitized(failure.detail))). \(remedy)"
    }
}
