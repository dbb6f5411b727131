/// The duration in what ffmpeg prints about a video: a line such as `  Duration: 00:01:02.03, start: 0.000000, bitrate: …`.
/// Holds the beginning of one line, however much is printed.
struct VideoText {
    /// The first stated duration, of 10 milliseconds to 49 days.
    private var stated: UInt32?
    private var isDecided = false
    private var isEstimated = false
    private var line: [UInt8] = []

    /// The number of bytes of a line that are read.
    private static let lineLength = 128
    private static let prefix = "  Duration: "
    /// Printed before the duration if it is only the length of the file divided by the rate of its first frames.
    private static let estimate = "Estimating duration from bitrate"

    /// The duration in milliseconds; `nil` if none is stated, and if it is only estimated.
    var milliseconds: UInt32? { isEstimated ? nil : stated }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                readLine()
                line.removeAll(keepingCapacity: true)
            } else if line.count < Self.lineLength {
                line.append(byte)
            }
        }
    }

    private mutating func readLine() {
        let text = String(decoding: line, as: UTF8.self)
        if text.contains(Self.estimate) { isEstimated = true }
        guard !isDecided, text.hasPrefix(Self.prefix) else { return }
        isDecided = true
        stated = Self.milliseconds(text.dropFirst(Self.prefix.count).prefix { $0 != "," })
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
