import Foundation
import NIOCore
import PhotoCatalog

/// Distinguishes a file without a picture from a tool that fails with every file, such as a program whose library is missing
/// or that crashes: the tool makes the thumbnail of a correct file.
struct ToolProbe: Sendable {
    let maker: any PictureMaker
    /// The folder of temporary files.
    let folder: String

    /// Tries a correct file of the kind of a content of which the tool made nothing.
    /// - Parameter photo: The content, whose file is removed already. It names the temporary file.
    /// - Returns: How the tool failed; `nil` if it made the thumbnail, or if that is not known.
    func failure(after photo: ContentDigest, type: MediaType) async -> PictureToolFailure? {
        let isVideo = type.isVideo
        let correct: MediaType = isVideo ? .quickTime : .jpeg
        guard maker.runsPrograms, maker.canMake(correct),
            let bytes = Data(base64Encoded: isVideo ? Self.video : Self.photo),
            let file = try? await PictureFile(of: photo, type: correct, in: folder)
        else { return nil }
        var failure: PictureToolFailure?
        do {
            try await file.write(ByteBuffer(bytes: bytes), at: 0)
            _ = try await maker.pictures(of: file.path, type: correct, preview: nil)
        } catch let error as ThumbnailError {
            failure = error.reason.map { PictureToolFailure(isVideo: isVideo, reason: $0) }
        } catch {}
        await file.remove()
        return failure
    }

    /// A JPEG of one pixel.
    private static let photo =
        "/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/"
        + "wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAB//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP3//2Q=="

    /// A QuickTime file with one frame, a JPEG of 16 pixels a side.
    private static let video =
        "AAAAFGZ0eXBxdCAgAAACAHF0ICAAAAAId2lkZQAAAixtZGF0/9j/4AAQSkZJRgABAgAAAQABAAD/2wBDAAg+Pkk+SVVVVVVV"
        + "VWRdZGhoaGRkZGRoaGhwcHCDg4NwcHBoaHBwfHyDg4+Tj4eHg4eTk5ubm7q6srLZ2eD/////xAGiAAABBQEBAQEBAQAAAAAA"
        + "AAAAAQIDBAUGBwgJCgsBAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKCxAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEG"
        + "E1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1"
        + "dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP0"
        + "9fb3+Pn6EQACAQIEBAMEBwUEBAABAncAAQIDEQQFITEGEkFRB2FxEyIygQgUQpGhscEJIzNS8BVictEKFiQ04SXxFxgZGiYn"
        + "KCkqNTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqCg4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1"
        + "tre4ubrCw8TFxsfIycrS09TV1tfY2dri4+Tl5ufo6ery8/T19vf4+fr/wAARCAAQABADASIAAhEAAxEA/9oADAMBAAIRAxEA"
        + "PwAooooA/9kAAAKhbW9vdgAAAGxtdmhkAAAAAAAAAAAAAAAAAAAD6AAAA+gAAQAAAQAAAAAAAAAAAAAAAAEAAAAAAAAAAAAA"
        + "AAAAAAABAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAAAi10cmFrAAAAXHRraGQAAAAD"
        + "AAAAAAAAAAAAAAABAAAAAAAAA+gAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAA"
        + "ABAAAAAQAAAAAAAkZWR0cwAAABxlbHN0AAAAAAAAAAEAAAPoAAAAAAABAAAAAAGlbWRpYQAAACBtZGhkAAAAAAAAAAAAAAAA"
        + "AABAAAAAQAB//wAAAAAALWhkbHIAAAAAbWhscnZpZGUAAAAAAAAAAAAAAAAMVmlkZW9IYW5kbGVyAAABUG1pbmYAAAAUdm1o"
        + "ZAAAAAEAAAAAAAAAAAAAACxoZGxyAAAAAGRobHJ1cmwgAAAAAAAAAAAAAAAAC0RhdGFIYW5kbGVyAAAAJGRpbmYAAAAcZHJl"
        + "ZgAAAAAAAAABAAAADHVybCAAAAABAAAA5HN0YmwAAACAc3RzZAAAAAAAAAABAAAAcGpwZWcAAAAAAAAAAQAAAABGRk1QAAAC"
        + "AAAAAgAAEAAQAEgAAABIAAAAAAAAAAEKTGF2YyBtanBlZwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY//8AAAAKZmllbAEAAAAA"
        + "EHBhc3AAAAABAAAAAQAAABhzdHRzAAAAAAAAAAEAAAABAABAAAAAABxzdHNjAAAAAAAAAAEAAAABAAAAAQAAAAEAAAAUc3Rz"
        + "egAAAAAAAAIkAAAAAQAAABRzdGNvAAAAAAAAAAEAAAAk"
}

/// A tool that made no thumbnail of a correct file.
package struct PictureToolFailure: Sendable, Equatable {
    /// Whether the file was a video, which may require another program than photos.
    package let isVideo: Bool
    package let reason: String
}

extension ThumbnailError {
    /// How the tool failed, for a person; `nil` if it did not try the file.
    package var reason: String? {
        switch self {
        case .notMade: "made nothing"
        case .tooSlow: "exceeded its time limit"
        case .toolFailed(let detail): detail
        case .missing, .cancelled: nil
        }
    }
}
