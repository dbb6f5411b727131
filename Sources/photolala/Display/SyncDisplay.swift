import PhotolalaClient

/// Shows a sync's progress, one direction after the other.
final class SyncDisplay: Sendable {
    private let there: ProgressDisplay
    private let here: ProgressDisplay

    init(isActive: Bool = Terminal.isInteractive) {
        there = ProgressDisplay(verb: "To the library", isActive: isActive)
        here = ProgressDisplay(verb: "To the folder", isActive: isActive)
    }

    func show(_ progress: SyncProgress) {
        switch progress.direction {
        case .toLibrary: there.show(progress.transfer)
        case .toFolder: here.show(progress.transfer)
        }
    }

    func clear() {
        there.clear()
        here.clear()
    }
}
