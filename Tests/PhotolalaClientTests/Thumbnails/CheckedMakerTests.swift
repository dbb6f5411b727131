import Foundation
import NIOCore
import PhotoCatalog
import PhotoSync
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotolalaClient

/// An app's own thumbnail maker.
@Suite struct CheckedMakerTests {
    private final class Maker: ThumbnailMaker {
        let result: Result<MadePictures, ThumbnailMakerError>
        let calls = Mutex<[String]>([])

        init(_ result: Result<MadePictures, ThumbnailMakerError>) { self.result = result }

        func supports(mediaType: String) -> Bool { mediaType == "image/heic" }

        func pictures(
            of file: URL, mediaType: String, previewQuality: Int?
        ) async throws(ThumbnailMakerError) -> MadePictures {
            let quality = previewQuality.map { "\($0)" } ?? "-"
            calls.withLock { $0.append("\(file.path) \(mediaType) \(quality)") }
            return try result.get()
        }
    }

    private static let jpeg = Data(PhotoBytes.picture(2))
    private static let longJPEG = Data(PhotoBytes.picture(1, width: 2048, length: 300 << 10))

    private func pictures(_ maker: Maker, preview: Int? = 80) async throws -> Pictures {
        try await CheckedMaker(maker).pictures(of: "/a photo.heic", type: .heic, preview: preview)
    }

    @Test("an app's maker gets the file, its type and the quality, and its JPEGs are used")
    func used() async throws {
        let maker = Maker(.success(MadePictures(thumbnail: Self.jpeg, preview: Self.longJPEG)))
        #expect(CheckedMaker(maker).canMake(.heic) && !CheckedMaker(maker).canMake(.jpeg))
        let made = try await pictures(maker)
        #expect(Data(made.thumbnail.bytes.readableBytesView) == Self.jpeg)
        #expect(made.preview.map { Data($0.bytes.readableBytesView) } == Self.longJPEG)
        let small = try await pictures(maker, preview: nil)
        #expect(small.preview == nil, "none was requested")
        #expect(maker.calls.withLock { $0 } == ["/a photo.heic image/heic 80", "/a photo.heic image/heic -"])
    }

    @Test("what is no JPEG, or too large, is not stored")
    func invalid() async throws {
        for thumbnail in [Data(), Data("<html>".utf8), Self.longJPEG] {
            await #expect(throws: ThumbnailError.toolFailed("invalid thumbnail")) {
                try await pictures(Maker(.success(MadePictures(thumbnail: thumbnail))))
            }
        }
        let made = try await pictures(Maker(.success(MadePictures(thumbnail: Self.jpeg, preview: Data("no".utf8)))))
        #expect(made.preview == nil)
    }

    @Test(
        "each error of a maker has its meaning",
        arguments: [
            (.noPicture, .notMade), (.timedOut, .tooSlow), (.failed("x"), .toolFailed("x")), (.cancelled, .cancelled),
            (.unavailable, .missing),
        ] as [(ThumbnailMakerError, ThumbnailError)])
    func errors(thrown: ThumbnailMakerError, expected: ThumbnailError) async throws {
        let maker = Maker(.failure(thrown))
        let checked = CheckedMaker(maker)
        for _ in 1...2 {
            await #expect(throws: expected) {
                try await checked.pictures(of: "/a.heic", type: .heic, preview: nil)
            }
        }
        #expect(checked.isMissing == (thrown == .unavailable))
        #expect(
            maker.calls.withLock { $0.count } == (thrown == .unavailable ? 1 : 2),
            "an unavailable maker is not called again")
    }
}
