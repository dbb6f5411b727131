import PhotolalaClient

/// One line of progress: `12/100 files, 34.5 MB of 120 MB, 2.1 MB/s, 41 s left`.
struct ProgressLine {
    private var moved: TransferRate
    private var finished: TransferRate

    /// - Parameter start: seconds from any fixed moment, as all times given later.
    init(start: Double) {
        moved = TransferRate(start: start)
        finished = TransferRate(start: start)
    }

    mutating func text(_ progress: TransferProgress, verb: String, at time: Double) -> String {
        let isCounted = progress.totalFiles > 0
        guard isCounted || progress.finishedBytes > 0 else { return "Looking at the files…" }
        moved.note(progress.movedBytes, at: time)
        finished.note(progress.finishedBytes, at: time)
        var parts =
            isCounted
            ? ["\(verb) \(progress.finishedFiles)/\(progress.totalFiles) files"]
            : [
                "\(verb), still counting: \(Counted.files(progress.finishedFiles)) so far",
                ByteText.text(progress.finishedBytes),
            ]
        // Where only beginnings of files are read their bytes are not counted.
        if isCounted, progress.totalBytes > 0 {
            parts.append("\(ByteText.text(progress.finishedBytes)) of \(ByteText.text(progress.totalBytes))")
        }
        if let rate = moved.bytesPerSecond, rate >= 1, rate < 1e15 {
            parts.append("\(ByteText.text(Int64(rate)))/s")
        }
        let rest = progress.totalBytes.subtractingReportingOverflow(progress.finishedBytes)
        if isCounted, !rest.overflow, let left = finished.secondsLeft(for: rest.partialValue),
            progress.finishedFiles > 0
        {
            parts.append("\(TimeText.text(seconds: left)) left")
        }
        if progress.failedFiles > 0 { parts.append("\(progress.failedFiles) failed") }
        return parts.joined(separator: ", ")
    }
}
