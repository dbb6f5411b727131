import PhotolalaClient

/// Displays a sync's progress, in one direction at a time.
final class SyncDisplay: Sendable {
    private let toLibrary: ProgressDisplay
    private let toFolder: ProgressDisplay

    init(style: ProgressDisplay.Style, network: PhotolalaNetwork) {
        toLibrary = ProgressDisplay(verb: "Uploading", style: style) { network.stallDuration }
        toFolder = ProgressDisplay(verb: "Downloading", style: style) { network.stallDuration }
        toFolder.pause()
        toLibrary.startTimer()
        toFolder.startTimer()
    }

    func show(_ progress: SyncProgress) {
        switch progress.direction {
        case .toLibrary:
            toFolder.pause()
            toLibrary.show(progress.transfer)
        case .toFolder:
            toLibrary.pause()
            toFolder.show(progress.transfer)
        }
    }

    /// Removes the line.
    func clear() {
        toLibrary.clear()
        toFolder.clear()
    }

    /// Removes the line until the next progress.
    func pause() {
        toLibrary.pause()
        toFolder.pause()
    }

    /// Removes the line and stops redrawing it.
    func end() {
        toLibrary.end()
        toFolder.end()
    }
}
