import PhotolalaClient

/// Displays a sync's progress, in one direction at a time.
final class SyncDisplay: Sendable {
    private let there: ProgressDisplay
    private let here: ProgressDisplay

    init(isActive: Bool = Terminal.isInteractive, network: PhotolalaNetwork) {
        there = ProgressDisplay(verb: "To the library", isActive: isActive) { network.silence }
        here = ProgressDisplay(verb: "To the folder", isActive: isActive) { network.silence }
        here.pause()
        there.tick()
        here.tick()
    }

    func show(_ progress: SyncProgress) {
        switch progress.direction {
        case .toLibrary:
            here.pause()
            there.show(progress.transfer)
        case .toFolder:
            there.pause()
            here.show(progress.transfer)
        }
    }

    /// Removes the line.
    func clear() {
        there.clear()
        here.clear()
    }

    /// Removes the line and stops redrawing it.
    func end() {
        there.end()
        here.end()
    }
}
