import PhotolalaClient
import Synchronization

/// Shows progress on a terminal, at most a few times a second; silent in a pipe.
final class ProgressDisplay: Sendable {
    private struct State {
        var line: ProgressLine
        var lastShown = -1.0
        var isShown = false
    }

    private let verb: String
    private let start = ContinuousClock.now
    private let isActive: Bool
    private let state = Mutex(State(line: ProgressLine(start: 0)))

    init(verb: String, isActive: Bool = Terminal.isInteractive) {
        self.verb = verb
        self.isActive = isActive
    }

    /// Shows how far a transfer is until its end.
    static func watch<Report>(
        _ transfer: Transfer<TransferProgress, Report>, verb: String
    ) async throws(PhotolalaError) -> Report {
        let display = ProgressDisplay(verb: verb)
        defer { display.clear() }
        for await progress in transfer { display.show(progress) }
        return try await transfer.report
    }

    func show(_ progress: TransferProgress) {
        guard isActive else { return }
        let time = (ContinuousClock.now - start) / .seconds(1)
        state.withLock { state in
            guard time - state.lastShown >= 0.2 else { return }
            state.lastShown = time
            state.isShown = true
            Terminal.overwrite(state.line.text(progress, verb: verb, at: time))
        }
    }

    /// Takes the line away.
    func clear() {
        state.withLock { state in
            if state.isShown { Terminal.overwrite("") }
            state.isShown = false
        }
    }
}
