import PhotolalaClient

/// A line of progress: `12/100 files, 34.5 MB of 120 MB, 2.1 MB/s, 41 s left`. While the photo store does not respond,
/// it says so instead of a rate and a remaining time.
struct ProgressLine {
    /// The shortest stall that the line reports, in seconds.
    static let minimumStallDuration = 5.0

    private var moved: TransferRate
    private var finished: TransferRate

    /// - Parameter start: Seconds since an arbitrary fixed time, like all later times.
    init(start: Double) {
        moved = TransferRate(start: start)
        finished = TransferRate(start: start)
    }

    /// - Parameter stallDuration: The number of seconds without any transferred bytes while requests wait for the photo
    ///   store.
    mutating func text(
        _ progress: TransferProgress, verb: String, at time: Double, stallDuration: Double? = nil
    ) -> String {
        let isCounted = progress.totalFiles > 0
        let stallText = stallDuration.flatMap { $0 >= Self.minimumStallDuration ? $0 : nil }.map {
            "no response from the photo store for \(TimeText.text(seconds: $0.rounded(.down)))"
        }
        guard isCounted || progress.finishedBytes > 0 else {
            return stallText.map { "\(verb): \($0)" } ?? "Scanning files…"
        }
        moved.record(progress.movedBytes, at: time)
        finished.record(progress.finishedBytes, at: time)
        var parts =
            isCounted
            ? ["\(verb) \(progress.finishedFiles)/\(progress.totalFiles) files"]
            : [
                "\(verb), still scanning: \(Counted.files(progress.finishedFiles))",
                ByteText.text(progress.finishedBytes),
            ]
        // If only the first bytes of files are read, their sizes are not counted.
        if isCounted, progress.totalBytes > 0 {
            parts.append("\(ByteText.text(progress.finishedBytes)) of \(ByteText.text(progress.totalBytes))")
        }
        if let stallText {
            parts.append(stallText)
        } else {
            parts += paceParts(progress)
        }
        if progress.failedFiles > 0 { parts.append("\(progress.failedFiles) failed") }
        return parts.joined(separator: ", ")
    }

    /// Returns the rate and the remaining time, as far as they are known.
    private func paceParts(_ progress: TransferProgress) -> [String] {
        var parts: [String] = []
        if let rate = moved.bytesPerSecond, rate >= 1, rate < 1e15 {
            parts.append("\(ByteText.text(Int64(rate)))/s")
        }
        let remaining = progress.totalBytes.subtractingReportingOverflow(progress.finishedBytes)
        if progress.totalFiles > 0, !remaining.overflow, let left = finished.secondsLeft(for: remaining.partialValue),
            progress.finishedFiles > 0
        {
            parts.append("\(TimeText.text(seconds: left)) left")
        }
        return parts
    }
}
