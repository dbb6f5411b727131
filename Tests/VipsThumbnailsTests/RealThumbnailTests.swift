import Foundation
import NIOCore
import PhotoCatalog
import PhotoSync
import Subprocess
import Testing
import VipsThumbnails

private let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
private let isInstalled = path.split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/vips")
}
let ffmpeg = VipsThumbnailMaker.findFFmpeg(in: path)

/// Tests the worker with the installed libvips.
@Suite(.enabled(if: isInstalled, "libvips-tools is not installed"))
struct RealThumbnailTests {
    func maker() throws -> VipsThumbnailMaker {
        let worker = VipsThumbnailMaker.findWorker(beside: Bundle.main.executablePath, in: "")
        return VipsThumbnailMaker(worker: try #require(worker), ffmpeg: ffmpeg, processes: 1) {
            try await Task.sleep(for: $0)
        }
    }

    /// Creates a picture with libvips.
    func picture(_ width: Int, _ height: Int, _ name: String, in folder: URL) async throws -> String {
        let place = folder.appendingPathComponent(name).path
        try await vips("black", "\(place).v", "\(width)", "\(height)", "--bands", "3")
        try await vips("copy", "\(place).v", place)
        return place
    }

    func runFFmpeg(_ words: String...) async throws {
        let run = try await Subprocess.run(
            .path(.init(#require(ffmpeg))), arguments: Arguments(["-nostdin", "-v", "error"] + words),
            output: .discarded)
        try #require(run.terminationStatus == .exited(0))
    }

    @discardableResult
    func vips(_ words: String...) async throws -> String {
        let run = try await Subprocess.run(.name("vips"), arguments: Arguments(words), output: .string(limit: 1000))
        try #require(run.terminationStatus == .exited(0))
        return run.standardOutput
    }

    /// Returns the width and height from the frame header (ITU T.81 section B.2.2).
    private func size(_ thumbnail: Thumbnail) throws -> [Int] { try size(ofJPEG: thumbnail.bytes) }

    func size(ofJPEG jpeg: ByteBuffer) throws -> [Int] {
        let bytes = Array(jpeg.readableBytesView)
        let start = try #require(bytes.indices.dropLast(9).first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xc0 })
        return [Int(bytes[start + 7]) << 8 + Int(bytes[start + 8]), Int(bytes[start + 5]) << 8 + Int(bytes[start + 6])]
    }

    func withFolder(_ act: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("vips-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await act(folder)
    }

    @Test(
        "the color is the average of the thumbnail, of each kind of pixels",
        arguments: [("rgb", 400, 300), ("rgb", 5, 3), ("rgb", 256, 1), ("grey", 400, 300), ("alpha", 400, 300)])
    func colors(kind: String, width: Int, height: Int) async throws {
        try await withFolder { folder in
            let place = folder.appendingPathComponent("a.png").path
            let bands = ["grey": 1, "rgb": 3, "alpha": 4][kind] ?? 3
            let levels = ["grey": "100", "rgb": "200 30 40", "alpha": "200 30 40 0"][kind] ?? ""
            let ones = Array(repeating: "1", count: bands).joined(separator: " ")
            try await vips("black", "\(place).1.v", "\(width)", "\(height)", "--bands", "\(bands)")
            try await vips("linear", "\(place).1.v", "\(place).2.v", ones, levels, "--uchar")
            try await vips("copy", "\(place).2.v", place, "--interpretation", bands == 1 ? "b-w" : "srgb")
            let made = try await maker().pictures(of: place, type: .png, preview: nil)
            let color = try #require(made.color)
            // A transparent picture is shown on white.
            let expected: [UInt8] = ["grey": [100, 100, 100], "alpha": [255, 255, 255]][kind] ?? [200, 30, 40]
            for (one, other) in zip([color.red, color.green, color.blue], expected) {
                #expect(abs(Int(one) - Int(other)) <= 4, "\(color)")
            }
        }
    }

    @Test(
        "a thumbnail has 512 pixels or, of a panorama, 256 on its shorter side, and a small photo keeps its size",
        arguments: [
            (800, 600, [512, 384]), (300, 900, [256, 768]), (500, 5000, [102, 1024]), (511, 512, [511, 512]),
            (600, 100, [600, 100]), (40, 20, [40, 20]),
        ],
        ["a.jpg", "a.png", "a.tif", "a.gif", "a.webp", "a.heic"])
    func sizes(photo: (width: Int, height: Int, expected: [Int]), name: String) async throws {
        try await withFolder { folder in
            let place = try await picture(photo.width, photo.height, name, in: folder)
            #expect(try size(try await maker().thumbnail(of: place, type: .jpeg)) == photo.expected)
        }
    }

    @Test("a rotated photo is turned upright, and its metadata are removed")
    func orientation() async throws {
        try await withFolder { folder in
            let place = try await picture(800, 600, "a.jpg", in: folder)
            let plain = try Data(contentsOf: URL(fileURLWithPath: place))
            // EXIF with one entry, Orientation = 6, after the first marker.
            let tiff: [UInt8] = [
                0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
            ]
            let exif = Array("Exif\0\0".utf8) + tiff
            let segment = [0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif
            try (plain.prefix(2) + Data(segment) + plain.dropFirst(2)).write(to: URL(fileURLWithPath: place))
            let thumbnail = try await maker().thumbnail(of: place, type: .jpeg)
            #expect(try size(thumbnail) == [384, 512])
            #expect(!String(decoding: thumbnail.bytes.readableBytesView, as: UTF8.self).contains("Exif"))
        }
    }

    @Test("a photo without a color profile keeps its colors", arguments: ["a.jpg", "a.png"])
    func colors(name: String) async throws {
        try await withFolder { folder in
            let (black, place) = (try await picture(800, 600, "black.v", in: folder), "\(folder.path)/\(name)")
            try await vips("linear", black, "\(folder.path)/dark.v", "1", "16 27 21", "--uchar")
            try await vips("copy", "\(folder.path)/dark.v", place, "--interpretation", "srgb")
            let thumbnail = folder.appendingPathComponent("thumbnail.jpg")
            try await Data(maker().thumbnail(of: place, type: .jpeg).bytes.readableBytesView).write(to: thumbnail)
            let color = try await vips("getpoint", thumbnail.path, "100", "100").split { " \n".contains($0) }.map {
                Int($0)
            }
            #expect(zip(color, [16, 27, 21]).allSatisfy { abs(($0 ?? 0) - $1) <= 2 } && color.count == 3, "\(color)")
        }
    }

    @Test("malformed, empty, oversized and SVG input has no thumbnail")
    func hostile() async throws {
        try await withFolder { folder in
            let place = try await picture(800, 600, "a.png", in: folder)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: place))
            // 2,000,000,000 pixels per side.
            bytes.replaceSubrange(16..<24, with: [0x77, 0x35, 0x94, 0, 0x77, 0x35, 0x94, 0])
            let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
            for content in [Data("no picture".utf8), Data(), bytes, Data(svg.utf8)] {
                try content.write(to: URL(fileURLWithPath: place))
                await #expect(throws: ThumbnailError.notMade) { try await maker().thumbnail(of: place, type: .jpeg) }
            }
        }
    }

    @Test(
        "a video has a thumbnail of its first frame, upright",
        .enabled(if: ffmpeg != nil, "ffmpeg is not installed"),
        arguments: [("a.mp4", 0, [512, 288]), ("a.mov", 90, [288, 512])])
    func video(name: String, rotation: Int, expected: [Int]) async throws {
        try await withFolder { folder in
            let source = folder.appendingPathComponent("source.mp4").path
            let place = folder.appendingPathComponent(name).path
            // Its index is at the end, and a second frame has another color.
            try await runFFmpeg(
                "-f", "lavfi", "-i", "color=red:s=640x360:r=1:d=1", "-f", "lavfi", "-i",
                "color=blue:s=640x360:r=1:d=1", "-filter_complex", "concat=n=2", "-c:v", "mpeg4", source)
            try await runFFmpeg("-i", source, "-c", "copy", "-metadata:s:v", "rotate=\(rotation)", place)
            let thumbnail = try await maker().thumbnail(of: place, type: .mp4)
            #expect(try size(thumbnail) == expected)
            let poster = folder.appendingPathComponent("thumbnail.jpg")
            try Data(thumbnail.bytes.readableBytesView).write(to: poster)
            let color = try await vips("getpoint", poster.path, "70", "70").split { " \n".contains($0) }
            #expect(Int(color[0]) ?? 0 > 200 && Int(color[2]) ?? 255 < 60, "\(color)")
        }
    }

    @Test("a malformed or empty video has no thumbnail", .enabled(if: ffmpeg != nil, "ffmpeg is not installed"))
    func hostileVideo() async throws {
        try await withFolder { folder in
            let place = folder.appendingPathComponent("a.mp4").path
            for content in ["", "no video", "\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom\0\0\0\u{8}moov"] {
                try Data(content.utf8).write(to: URL(fileURLWithPath: place))
                await #expect(throws: ThumbnailError.notMade) { try await maker().thumbnail(of: place, type: .mp4) }
            }
        }
    }
}
