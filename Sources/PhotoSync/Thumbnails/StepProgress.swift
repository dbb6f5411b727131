import PhotoCatalog

/// The progress of a run in its steps before and after the pictures, whose files do not count as missing.
struct StepProgress {
    private var progress: ReadingProgress
    private let report: @Sendable (VerificationEvent) -> Void

    init(_ progress: ReadingProgress, _ report: @escaping @Sendable (VerificationEvent) -> Void) {
        (self.progress, self.report) = (progress, report)
    }

    /// Reports that a step begins.
    /// - Returns: Reports a file of the step, and how many of them are finished.
    mutating func begin(_ count: Int) -> @Sendable (LibraryPath, Int) -> Void {
        progress.totalFiles += count
        let (start, report) = (progress, report)
        report(.started(start))
        progress.finishedFiles += count
        return { path, finished in
            var now = start
            now.finishedFiles += finished
            report(.finished(path, now))
        }
    }
}
