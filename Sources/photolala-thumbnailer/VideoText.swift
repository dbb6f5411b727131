/// The duration in what ffmpeg prints about a video: a line such as `  Duration: 00:01:02.03, start: 0.000000, bitrate: …`.
/// Names of tags are printed as they are, also with line breaks, so that a video can print such a line as well: the line of
/// ffmpeg counts only if it is the only one. Holds the beginning of one line, and reads the first MiB.
struct VideoText {
    /// The duration of the last line that states one, of 10 milliseconds to 49 days.
    private var stated: UInt32?
    private var durations = 0
    private var isUnusable = false
    /// Whether ffmpeg prints what the video says about itself; its own messages came before.
    private var isInHeader = false
    private var line: [UInt8] = []
    /// The number of bytes that are still read; negative if there were more.
    private var remaining = limit

    private static let limit = 1 << 20
    /// The number of bytes of a line that are read.
    private static let lineLength = 128
    private static let newline = UInt8(ascii: "\n")
    private static let header = "Input #"
    private static let prefix = "  Duration: "
    /// Printed before the header, behind the name of the format in brackets, if the duration is only the length of the file
    /// divided by the rate of its first frames, or if an MP4 or QuickTime file states units of an unknown length.
    private static let warnings = ["] Estimating duration from bitrate", "hd time scale "]

    /// The duration in milliseconds; `nil` if none or several are stated, if ffmpeg only estimates it or its units, and of a
    /// longer text.
    var milliseconds: UInt32? { durations == 1 && !isUnusable && remaining >= 0 ? stated : nil }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard remaining >= 0 else { return }
        remaining -= bytes.count
        guard remaining >= 0 else { return }
        var rest = bytes
        while let end = rest.firstIndex(of: Self.newline) {
            appendToLine(rest[..<end])
            readLine()
            line.removeAll(keepingCapacity: true)
            rest = rest[(end + 1)...]
        }
        appendToLine(rest)
    }

    private mutating func appendToLine(_ bytes: ArraySlice<UInt8>) {
        line += bytes.prefix(Self.lineLength - line.count)
    }

    private mutating func readLine() {
        if line.starts(with: Self.prefix.utf8) {
            durations += 1
            let text = String(decoding: line.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
            stated = Self.milliseconds(text.prefix { $0 != "," })
        } else if line.starts(with: Self.header.utf8) {
            isInHeader = true
        } else if !isInHeader, line.first == UInt8(ascii: "["),
            Self.warnings.contains(where: String(decoding: line, as: UTF8.self).contains)
        {
            isUnusable = true
        }
    }

    /// Reads hours, minutes, seconds and hundredths.
    private static func milliseconds(_ text: Substring) -> UInt32? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt64(part) : nil
        }
        // Hours beyond the range would overflow.
        guard parts.count == 4, numbers.count == 4, numbers[0] < 10_000, numbers[1] < 60, numbers[2] < 60,
            parts[3].utf8.count == 2
        else { return nil }
        let total = ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1000 + numbers[3] * 10
        return total > 0 ? UInt32(exactly: total) : nil
    }
}
