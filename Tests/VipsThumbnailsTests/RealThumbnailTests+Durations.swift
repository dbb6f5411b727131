import Foundation
import PhotoCatalog
import PhotoSync
import PhotolalaTesting
import Testing
import VipsThumbnails

extension RealThumbnailTests {
    @Test(
        "the duration of a video comes with its poster, also of a copy of its beginning and its end",
        .enabled(if: ffmpeg != nil, "ffmpeg is not installed"),
        arguments: [
            (MediaType.avi, "avi", "mpeg4"), (.matroska, "matroska", "mpeg4"), (.webm, "webm", "libvpx"),
            (.mpegTransport, "mpegts", "mpeg2video"), (.mpegProgram, "vob", "mpeg2video"),
            (.windowsMedia, "asf", "wmv2"), (.flash, "flv", "flv1"), (.ogg, "ogv", "libtheora"),
        ])
    func duration(type: MediaType, format: String, codec: String) async throws {
        try await withFolder { folder in
            let place = folder.appendingPathComponent("a.video").path
            try await runFFmpeg(
                "-f", "lavfi", "-i", "testsrc=s=640x360:r=25:d=12", "-c:v", codec, "-b:v", "2M", "-g", "5", "-pix_fmt",
                "yuv420p", "-f", format, place)
            let expected: ClosedRange<UInt32> = 11_900...12_100
            let whole = try await maker().pictures(of: place, type: type, preview: nil).duration
            #expect(expected.contains(try #require(whole).milliseconds), "\(String(describing: whole))")
            var bytes = try Data(contentsOf: URL(fileURLWithPath: place))
            let hole = bytes.count / 3..<bytes.count / 3 * 2
            bytes.replaceSubrange(hole, with: Data(count: hole.count))
            try bytes.write(to: URL(fileURLWithPath: place))
            let copy = try await maker().pictures(of: place, type: type, preview: nil).duration
            #expect(expected.contains(try #require(copy).milliseconds), "\(String(describing: copy))")
        }
    }

    @Test("the duration of fragmented MP4 is found", .enabled(if: ffmpeg != nil, "ffmpeg is not installed"))
    func fragmented() async throws {
        try await withFolder { folder in
            let place = folder.appendingPathComponent("a.mp4").path
            try await runFFmpeg(
                "-f", "lavfi", "-i", "testsrc=s=128x72:r=25:d=3", "-c:v", "mpeg4", "-movflags",
                "frag_keyframe+empty_moov", place)
            let made = try await maker().pictures(of: place, type: .mp4, preview: nil)
            #expect(made.duration?.milliseconds == 3000)
        }
    }

    @Test(
        "the name of a tag forges no duration, and a comment hides none",
        .enabled(if: ffmpeg != nil, "ffmpeg is not installed"))
    func hostileTags() async throws {
        try await withFolder { folder in
            let name = String(repeating: "A", count: 40)
            var found: [UInt32?] = []
            for tag in ["comment=[mpegts @ 0x1] Estimating duration from bitrate", "\(name)=x"] {
                let place = folder.appendingPathComponent("\(found.count).mkv")
                try await runFFmpeg(
                    "-f", "lavfi", "-i", "testsrc=s=128x72:r=25:d=3", "-c:v", "mpeg4", "-metadata", tag, place.path)
                var bytes = try Data(contentsOf: place)
                if let range = bytes.range(of: Data(name.utf8)) {
                    let forged = "x\n  Duration: 00:00:09.00, start: 0".utf8
                    bytes.replaceSubrange(range, with: Data(forged) + Data(repeating: 0x2c, count: 40 - forged.count))
                }
                try bytes.write(to: place)
                found.append(
                    try await maker().pictures(of: place.path, type: .matroska, preview: nil).duration?.milliseconds)
            }
            #expect(found == [3000, nil])
        }
    }

    @Test(
        "tags of a Matroska file state no duration, and neither does an MP4 file without a time scale",
        .enabled(if: ffmpeg != nil, "ffmpeg is not installed"))
    func withoutDuration() async throws {
        try await withFolder { folder in
            let stated = Data([0x44, 0x89, 0x88])
            var found: [UInt32?] = []
            for (name, type, replaced) in [("a.mkv", MediaType.matroska, stated), ("a.mp4", .mp4, Data("mvhd".utf8))] {
                let place = folder.appendingPathComponent(name)
                try await runFFmpeg(
                    "-f", "lavfi", "-i", "testsrc=s=128x72:r=25:d=3", "-c:v", "mpeg4", "-metadata",
                    "DURATION=00:09:00.00",
                    place.path)
                var bytes = try Data(contentsOf: place)
                let start = try #require(bytes.range(of: replaced)).lowerBound
                if type == .matroska {
                    // An element that is skipped. The track's own tag DURATION stays.
                    bytes.replaceSubrange(start..<start + 11, with: [0xec, 0x89] + Data(count: 9))
                } else {
                    bytes.replaceSubrange(start + 16..<start + 20, with: Data(count: 4))
                }
                try bytes.write(to: place)
                found.append(
                    try await maker().pictures(of: place.path, type: type, preview: nil).duration?.milliseconds)
            }
            #expect(found == [nil, nil])
        }
    }

    /// Runs the worker with a script that prints a text and a picture, instead of ffmpeg, and returns the milliseconds. In the sandbox a shell cannot
    /// redirect its output.
    private func duration(ofVideoBy text: String, in folder: URL) async throws -> UInt32? {
        let (png, program) = (try await picture(64, 36, "a.png", in: folder), folder.appendingPathComponent("ffmpeg"))
        let script = """
            #!/usr/bin/perl
            \(text)
            open(my $file, "<", "\(png)"); print while <$file>;

            """
        try Data(script.utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let worker = VipsThumbnailMaker.findWorker(beside: Bundle.main.executablePath, in: "")
        let maker = VipsThumbnailMaker(worker: try #require(worker), ffmpeg: program.path, processes: 1) {
            try await Task.sleep(for: $0)
        }
        let made = try await maker.pictures(of: png, type: .avi, preview: nil)
        await maker.endIdleProcesses()
        return made.duration?.milliseconds
    }

    @Test(
        "whatever ffmpeg prints, the poster is made, and an impossible duration is left out", .timeLimit(.minutes(15)))
    func hostileText() async throws {
        try await withFolder { folder in
            let line = #"print STDERR "  Duration: 00:00:02.50, start: 0\n";"#
            let texts = ["N/A", "99999:00:00.00"].map { line.replacingOccurrences(of: "00:00:02.50", with: $0) + line }
            // More than a pipe holds, so that a worker that did not read it would wait for ever.
            let flood = #"print STDERR "warning " x 40, "\n" for 1..3000;"# + line
            var found: [UInt32?] = []
            for text in [line, flood] + texts { found.append(try await duration(ofVideoBy: text, in: folder)) }
            #expect(found == [2500, 2500, nil, nil])
        }
    }
}
