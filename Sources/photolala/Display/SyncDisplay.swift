import PhotolalaClient

/// Shows a sync's progress, one direction after the other.
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

    /// Takes the line away.
    func clear() {
        there.clear()
        here.clear()
    }

    /// Takes the line away for good.
    func end() {
        there.end()
        here.end()
    }
}
