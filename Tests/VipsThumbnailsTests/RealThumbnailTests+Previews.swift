import Foundation
import NIOCore
import PhotoCatalog
import PhotoSync
import PhotolalaTesting
import Testing
import VipsThumbnails

extension RealThumbnailTests {
    @Test(
        "a preview has at most 2,048 pixels per side and is never enlarged",
        arguments: [
            (4000, 3000, [2048, 1536], [512, 384]), (1500, 3000, [1024, 2048], [256, 512]),
            (1000, 500, [1000, 500], [512, 256]), (500, 6000, [171, 2048], [86, 1024]),
        ],
        ["a.jpg", "a.tif", "a.heic", "a.png"])
    func previewSizes(
        photo: (width: Int, height: Int, preview: [Int], thumbnail: [Int]), name: String
    ) async throws {
        try await withFolder { folder in
            let place = try await picture(photo.width, photo.height, name, in: folder)
            let made = try await maker().pictures(of: place, type: .jpeg, preview: 80)
            #expect(try size(ofJPEG: #require(made.preview).bytes) == photo.preview)
            #expect(try size(ofJPEG: made.thumbnail.bytes) == photo.thumbnail)
        }
    }

    @Test(
        "a JPEG of a few pixels, as the one that probes the tool, has pictures of its size",
        arguments: [[1, 1], [3, 2], [7, 300]], [80, nil])
    func fewPixels(size expected: [Int], preview: Int?) async throws {
        try await withFolder { folder in
            let place = try await picture(expected[0], expected[1], "a.jpg", in: folder)
            let made = try await maker().pictures(of: place, type: .jpeg, preview: preview)
            #expect(try size(ofJPEG: made.thumbnail.bytes) == expected)
        }
    }

    @Test("a better quality makes a larger preview, and no metadata are in it")
    func previewQuality() async throws {
        try await withFolder { folder in
            try await vips("gaussnoise", "\(folder.path)/noise.v", "600", "400", "--sigma", "50")
            let place = "\(folder.path)/a.jpg"
            try await vips("copy", "\(folder.path)/noise.v", place)
            let small = try #require(try await maker().pictures(of: place, type: .jpeg, preview: 30).preview)
            let large = try #require(try await maker().pictures(of: place, type: .jpeg, preview: 90).preview)
            #expect(small.bytes.readableBytes * 2 < large.bytes.readableBytes)
        }
    }

    @Test("a preview above its maximum size is left out, and the thumbnail is made")
    func previewTooLarge() async throws {
        try await withFolder { folder in
            try await vips("gaussnoise", "\(folder.path)/noise.v", "2048", "2048", "--sigma", "90")
            let place = "\(folder.path)/a.png"
            try await vips("cast", "\(folder.path)/noise.v", place, "uchar")
            let made = try await maker().pictures(of: place, type: .png, preview: 100)
            #expect(made.preview == nil && made.thumbnail.bytes.readableBytes > 1000)
            #expect(try await maker().pictures(of: place, type: .png, preview: 50).preview != nil)
        }
    }

    @Test(
        "a panorama has the same thumbnail with and without a preview", arguments: [("a.jpg", 3), ("a.png", 1)],
        [(12000, 500, [1024, 43]), (12001, 5900, [521, 256]), (9000, 3001, [768, 256])])
    func panoramas(file: (name: String, bands: Int), photo: (width: Int, height: Int, expected: [Int])) async throws {
        try await withFolder { folder in
            let place = folder.appendingPathComponent(file.name).path
            try await vips("black", "\(place).v", "\(photo.width)", "\(photo.height)", "--bands", "\(file.bands)")
            try await vips("copy", "\(place).v", place)
            for preview in [80, nil] {
                let made = try await maker().pictures(of: place, type: .jpeg, preview: preview)
                #expect(try size(ofJPEG: made.thumbnail.bytes) == photo.expected)
            }
        }
    }

    @Test("noise of each proportion has a thumbnail", arguments: [(512, 512), (1024, 256)])
    func noise(width: Int, height: Int) async throws {
        try await withFolder { folder in
            let (noise, place) = ("\(folder.path)/noise.v", "\(folder.path)/a.png")
            try await vips("gaussnoise", noise, "\(width)", "\(height)", "--sigma", "9000")
            try await vips("cast", noise, place, "uchar")
            #expect(try await maker().thumbnail(of: place, type: .png).bytes.readableBytes > 150_000)
        }
    }

    @Test(
        "of a RAW file the largest JPEG in it is shown upright, and not its lossless sensor data",
        arguments: [true, false])
    func raw(isBigEndian: Bool) async throws {
        try await withFolder { folder in
            /// A JPEG without EXIF, as cameras embed.
            func jpeg(_ width: Int, _ height: Int) async throws -> [UInt8] {
                let plain = try await picture(width, height, "plain.v", in: folder)
                try await vips("copy", plain, "\(folder.path)/plain.jpg[strip]")
                return Array(try Data(contentsOf: folder.appendingPathComponent("plain.jpg")))
            }
            let (large, small) = (try await jpeg(1200, 800), try await jpeg(160, 120))
            var sensor = try await jpeg(3000, 2000)
            let frame = try #require(sensor.indices.dropLast().first { sensor[$0] == 0xff && sensor[$0 + 1] == 0xc0 })
            sensor[frame + 1] = 0xc3
            var file = TIFFBytes(isBigEndian: isBigEndian)
            let first = file.append(small), second = file.append(large), third = file.append(sensor)
            let main = file.append(folder: [
                (0x0103, 3, 7), (0x0111, 4, third), (0x0117, 4, sensor.count),
            ])
            let preview = file.append(folder: [(0x0103, 3, 7), (0x0111, 4, second), (0x0117, 4, large.count)])
            let list = file.append(numbers: [main, preview])
            file.begin(
                at: file.append(folder: [
                    (0x0112, 3, 6, 1), (0x0201, 4, first, 1), (0x0202, 4, small.count, 1), (0x014a, 4, list, 2),
                ]))
            let place = folder.appendingPathComponent("a.dng")
            try Data(file.bytes).write(to: place)
            let maker = try maker()
            #expect(maker.canMake(.adobeDNG) && maker.canMake(.nikonNEF) && !maker.canMake(.canonCRW))
            let made = try await maker.pictures(of: place.path, type: .adobeDNG, preview: 80)
            #expect(try size(ofJPEG: #require(made.preview).bytes) == [800, 1200])
            #expect(try size(ofJPEG: made.thumbnail.bytes) == [341, 512])
            // Every truncation lacks the first folder, which is at the end.
            for length in stride(from: 0, to: file.bytes.count - 60, by: file.bytes.count / 23) {
                try Data(file.bytes.prefix(length)).write(to: place)
                await #expect(throws: ThumbnailError.notMade) {
                    try await maker.pictures(of: place.path, type: .adobeDNG, preview: nil)
                }
            }
        }
    }

    @Test(
        "the largest JPEG anywhere in a CR3, X3F or ORF file is shown upright",
        arguments: [MediaType.canonCR3, .sigmaX3F, .olympusORF])
    func searched(type: MediaType) async throws {
        try await withFolder { folder in
            var jpegs: [[UInt8]] = []
            for (width, height) in [(160, 120), (1200, 800), (640, 480)] {
                let plain = try await picture(width, height, "plain.v", in: folder)
                try await vips("copy", plain, "\(folder.path)/plain.jpg[strip]")
                jpegs.append(Array(try Data(contentsOf: folder.appendingPathComponent("plain.jpg"))))
            }
            let turned: [UInt8] = [1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
            let header: [UInt8] =
                switch type {
                case .canonCR3:
                    [0, 0, 0, 24] + Array("ftypcrx ".utf8) + [UInt8](repeating: 0, count: 40)
                        + Array("CMT1II".utf8) + [42, 0, 8, 0, 0, 0] + turned
                case .sigmaX3F: Array("FOVb".utf8) + [UInt8](repeating: 0, count: 32) + [90, 0, 0, 0]
                default: Array("IIRO".utf8) + [8, 0, 0, 0] + turned
                }
            // Sensor data has beginnings of JPEGs that are none.
            var random = SeededGenerator(seed: 5)
            let noise = (0..<50_000).map { _ in UInt8.random(in: 0...255, using: &random) } + [0xff, 0xd8, 0xff, 0xe0]
            let file = header + noise + jpegs.flatMap { $0 + noise }
            let place = folder.appendingPathComponent("a.raw")
            try Data(file).write(to: place)
            let maker = try maker()
            #expect(maker.canMake(type))
            let made = try await maker.pictures(of: place.path, type: type, preview: 80)
            #expect(try size(ofJPEG: #require(made.preview).bytes) == [800, 1200])
            try Data(header + noise).write(to: place)
            await #expect(throws: ThumbnailError.notMade) {
                try await maker.pictures(of: place.path, type: type, preview: nil)
            }
        }
    }

    @Test("folders of a RAW file that name each other are read once")
    func rawLoop() async throws {
        try await withFolder { folder in
            var file = TIFFBytes(isBigEndian: false)
            file.begin(
                at: file.append(folder: [(0x014a, 4, 8), (0x0201, 4, 0xffff_fff0), (0x0202, 4, 0xffff)], next: 8))
            let place = folder.appendingPathComponent("a.nef")
            try Data(file.bytes).write(to: place)
            await #expect(throws: ThumbnailError.notMade) {
                try await maker().pictures(of: place.path, type: .nikonNEF, preview: 80)
            }
        }
    }

    @Test(
        "a video has a poster", .enabled(if: ffmpeg != nil, "ffmpeg is not installed"),
        arguments: [
            (MediaType.mp4, "mp4", "mpeg4"), (.avi, "avi", "mpeg4"), (.matroska, "matroska", "mpeg4"),
            (.webm, "webm", "libvpx"), (.mpegTransport, "mpegts", "mpeg2video"), (.mpegProgram, "vob", "mpeg2video"),
            (.windowsMedia, "asf", "wmv2"), (.flash, "flv", "flv1"), (.ogg, "ogv", "libtheora"),
        ])
    func poster(type: MediaType, format: String, codec: String) async throws {
        try await withFolder { folder in
            let place = folder.appendingPathComponent("a.video").path
            try await runFFmpeg(
                "-f", "lavfi", "-i", "testsrc=s=1280x720:r=25:d=0.2", "-c:v", codec, "-pix_fmt", "yuv420p", "-f",
                format,
                place)
            let made = try await maker().pictures(of: place, type: type, preview: 80)
            #expect(try size(ofJPEG: #require(made.preview).bytes) == [1280, 720])
            #expect(try size(ofJPEG: made.thumbnail.bytes) == [512, 288])
        }
    }

    @Test(
        "a video is read only in the format of its type", .enabled(if: ffmpeg != nil, "ffmpeg is not installed"))
    func posterOfOtherFormat() async throws {
        try await withFolder { folder in
            let place = folder.appendingPathComponent("a.video").path
            try await runFFmpeg("-f", "lavfi", "-i", "testsrc=s=128x72:r=1:d=1", "-c:v", "mpeg4", "-f", "mp4", place)
            await #expect(throws: ThumbnailError.notMade) {
                try await maker().pictures(of: place, type: .avi, preview: 80)
            }
        }
    }
}

/// Writes a TIFF structure.
private struct TIFFBytes {
    let isBigEndian: Bool
    private(set) var bytes: [UInt8]

    init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
        bytes = Array((isBigEndian ? "MM" : "II").utf8)
        bytes += number(42, 2) + number(0, 4)
    }

    private func number(_ value: Int, _ length: Int) -> [UInt8] {
        let big = (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isBigEndian ? big : big.reversed()
    }

    /// Appends bytes and returns their offset.
    mutating func append(_ content: [UInt8]) -> Int {
        defer { bytes += content }
        return bytes.count
    }

    mutating func append(numbers: [Int]) -> Int { append(numbers.flatMap { number($0, 4) }) }

    /// Appends a folder of entries with one value each, or with the offset of as many as the count.
    mutating func append(folder: [(tag: Int, type: Int, value: Int, count: Int)], next: Int = 0) -> Int {
        let entries = folder.map { entry in
            let value = number(entry.value, entry.type == 3 ? 2 : 4)
            return number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4) + value
                + [UInt8](repeating: 0, count: 4 - value.count)
        }
        return append(number(folder.count, 2) + entries.joined() + number(next, 4))
    }

    mutating func append(folder: [(tag: Int, type: Int, value: Int)], next: Int = 0) -> Int {
        append(folder: folder.map { ($0.tag, $0.type, $0.value, 1) }, next: next)
    }

    /// Sets the offset of the first folder.
    mutating func begin(at offset: Int) { bytes.replaceSubrange(4..<8, with: number(offset, 4)) }
}
