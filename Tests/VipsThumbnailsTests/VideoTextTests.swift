import Testing

@testable import photolala_thumbnailer

@Suite("The duration in what ffmpeg prints") struct VideoTextTests {
    private func milliseconds(_ lines: String..., pieces: Int = 1000) -> UInt32? {
        var (text, rest) = (VideoText(), Array(lines.joined(separator: "\n").utf8 + [10])[...])
        while !rest.isEmpty {
            text.append(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
        }
        return text.milliseconds
    }

    @Test("the duration is found in pieces of any size, behind lines of any length", arguments: [1, 7, 1000])
    func pieces(size: Int) {
        let long = String(repeating: "x", count: 5000)
        #expect(
            milliseconds(
                "Input #0, avi, from '/dev/stdin':", long, "  Duration: 01:02:03.04, start: 0.000000, bitrate: 9 kb/s",
                "  Stream #0:0", pieces: size) == 3_723_040)
    }

    @Test(
        "what is no duration of 10 milliseconds to 49 days is left out",
        arguments: [
            "N/A", "00:00:00.00", "-00:00:01.00", "00:00:01", "00:00:01.0", "00:60:00.00", "00:00:60.00", "x:00:01.00",
            "1193:02:47.30", "99999999999999999999:00:00.00", "+1:00:00.00", ":::", "",
        ])
    func unusable(text: String) {
        let found = milliseconds("  Duration: \(text), start: 0.000000")
        #expect(found == nil)
    }

    @Test("the longest duration has 49 days")
    func longest() { #expect(milliseconds("  Duration: 1193:02:47.29, start") == 4_294_967_290) }

    @Test("a name of a tag that looks like a duration forges none, and a comment about an estimate hides none")
    func tags() {
        let input = "Input #0, matroska,webm, from '/dev/stdin':"
        let line = "  Duration: 00:00:09.00, start: 0"
        #expect(milliseconds(input, "  Metadata:", "    x", "  Duration: 00:00:01.00, : v", line) == nil)
        #expect(milliseconds(input, line, "  Stream #0:0", "    x", "  Duration: 00:00:01.00, : v") == nil)
        let estimate = "Estimating duration from bitrate, this may be inaccurate"
        let comments = [
            "    COMMENT         : \(estimate)", "                    : [a @ 0x1] \(estimate)", "[a @ 0x1] \(estimate)",
        ]
        for comment in comments { #expect(milliseconds(input, "  Metadata:", comment, line) == 9000) }
        #expect(milliseconds("[a @ 0x1] name: \(estimate)", input, line) == 9000)
    }

    @Test("the first MiB is read, and a longer text states no duration", arguments: [(0, UInt32(9000)), (1, nil)])
    func long(rest: Int, expected: UInt32?) {
        let line = "  Duration: 00:00:09.00, start: 0\n"
        var text = VideoText()
        text.append(Array(line.utf8)[...])
        let noise = [UInt8](repeating: UInt8(ascii: "\n"), count: 1 << 16)
        for _ in 1...15 { text.append(noise[...]) }
        text.append(noise[..<(noise.count - line.utf8.count + rest)])
        #expect(text.milliseconds == expected)
        text.append(Array("more".utf8).prefix(rest))
        #expect(text.milliseconds == expected)
    }

    @Test("a duration that is estimated by the length of the file, in metadata or incomplete does not count")
    func others() {
        let line = "  Duration: 00:00:09.00, start: 0"
        #expect(milliseconds("[mpegts @ 0x1] Estimating duration from bitrate, this may be inaccurate", line) == nil)
        for box in ["mvhd", "mdhd"] {
            #expect(milliseconds("[mov,mp4 @ 0x1] Invalid \(box) time scale 0, defaulting to 1", line) == nil)
        }
        #expect(milliseconds("    Duration        : 00:00:09.00", "                    : \(line)") == nil)
        var text = VideoText()
        text.append(Array(line.utf8)[...])
        #expect(text.milliseconds == nil)
    }
}
