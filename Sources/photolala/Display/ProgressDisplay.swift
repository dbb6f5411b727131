import PhotolalaClient
import Synchronization

/// Displays progress on a terminal, at most five times per second. Displays nothing if standard error is not a
/// terminal. Without new progress, the line is redrawn each second, so that it does not show an outdated rate.
final class ProgressDisplay: Sendable {
    private struct State {
        var line: ProgressLine
        var progress = TransferProgress()
        var lastShown = -1.0
        var isShown = false
        var isPaused = false
        var timer: Task<Void, Never>?
    }

    private let verb: String
    private let start = ContinuousClock.now
    private let isActive: Bool
    private let stallDuration: @Sendable () -> Duration?
    private let state = Mutex(State(line: ProgressLine(start: 0)))

    /// - Parameter stallDuration: Returns how long the photo store has not responded while requests wait for it.
    init(
        verb: String, isActive: Bool = Terminal.isInteractive,
        stallDuration: @escaping @Sendable () -> Duration? = { nil }
    ) {
        self.verb = verb
        self.isActive = isActive
        self.stallDuration = stallDuration
    }

    /// Displays the progress of a transfer until it ends, and returns its report.
    static func watch<Report>(
        _ transfer: Transfer<TransferProgress, Report>, verb: String, on network: PhotolalaNetwork
    ) async throws(PhotolalaError) -> Report {
        let display = ProgressDisplay(verb: verb) { network.stallDuration }
        display.startTimer()
        defer { display.end() }
        for await progress in transfer { display.show(progress) }
        return try await transfer.report
    }

    func show(_ progress: TransferProgress) {
        guard isActive else { return }
        draw(isTick: false) { ($0.progress, $0.isPaused) = (progress, false) }
    }

    /// Starts redrawing the line each second.
    func startTimer() {
        guard isActive else { return }
        let timer = Task { [weak self] in
            while (try? await Task.sleep(for: .seconds(1))) != nil, let self { self.draw(isTick: true) { _ in } }
        }
        state.withLock { $0.timer = timer }
    }

    /// Removes the line.
    func clear() {
        state.withLock { state in
            if state.isShown { Terminal.overwrite("") }
            state.isShown = false
        }
    }

    /// Removes the line until there is new progress.
    func pause() {
        clear()
        state.withLock { $0.isPaused = true }
    }

    /// Removes the line and stops redrawing it.
    func end() {
        clear()
        state.withLock { $0.timer?.cancel() }
    }

    private func draw(isTick: Bool, _ change: (inout State) -> Void) {
        let time = (ContinuousClock.now - start) / .seconds(1)
        let stallDuration = stallDuration().map { $0 / .seconds(1) }
        state.withLock { state in
            change(&state)
            guard time - state.lastShown >= 0.2, !state.isPaused else { return }
            // Before the first progress, only a store that does not respond is reported.
            guard !isTick || state.isShown || stallDuration ?? 0 >= ProgressLine.minimumStallDuration else { return }
            state.lastShown = time
            state.isShown = true
            Terminal.overwrite(state.line.text(state.progress, verb: verb, at: time, stallDuration: stallDuration))
        }
    }
}
