import PhotolalaClient
import Synchronization

/// Displays progress on standard error: on a terminal in one line, at most five times per second, elsewhere as a line each
/// minute. Without new progress, the line is redrawn each second, so that it does not show an outdated rate.
final class ProgressDisplay: Sendable {
    /// How progress is displayed.
    enum Style: Sendable {
        case none
        /// A line that is redrawn.
        case line
        /// A new line each minute.
        case log
    }

    private struct State {
        var line: ProgressLine
        var progress = TransferProgress()
        var lastShown = -1.0
        var lastLogged = 0.0
        var isShown = false
        var isPaused = false
        var timer: Task<Void, Never>?
    }

    private let verb: String
    private let start = ContinuousClock.now
    private let style: Style
    private let columns: @Sendable () -> Int
    private let stallDuration: @Sendable () -> Duration?
    private let state = Mutex(State(line: ProgressLine(start: 0)))

    /// - Parameter stallDuration: Returns how long the photo store has not responded while requests wait for it.
    init(
        verb: String, style: Style, stallDuration: @escaping @Sendable () -> Duration? = { nil },
        columns: @escaping @Sendable () -> Int = { Terminal.columns }
    ) {
        self.verb = verb
        self.style = style
        self.columns = columns
        self.stallDuration = stallDuration
    }

    /// Displays the progress of a transfer until it ends, and returns its report.
    static func watch<Report>(
        _ transfer: Transfer<TransferProgress, Report>, verb: String, in context: CommandContext
    ) async throws(PhotolalaError) -> Report {
        let network = context.network
        let display = ProgressDisplay(verb: verb, style: context.progress) { network.stallDuration }
        display.startTimer()
        defer { display.end() }
        for await progress in transfer { display.show(progress) }
        return try await transfer.report
    }

    func show(_ progress: TransferProgress) {
        guard style != .none else { return }
        draw(isTick: false) { ($0.progress, $0.isPaused) = (progress, false) }
    }

    /// Starts redrawing the line each second.
    func startTimer() {
        guard style != .none else { return }
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
            if style == .log { return log(&state, at: time, stallDuration) }
            // Before the first progress, only a store that does not respond is reported.
            guard !isTick || state.isShown || stallDuration ?? 0 >= ProgressLine.minimumStallDuration else { return }
            state.lastShown = time
            state.isShown = true
            let text = state.line.text(state.progress, verb: verb, at: time, stallDuration: stallDuration)
            Terminal.overwrite(
                ColumnText.line(text, file: state.progress.currentFile.map(Terminal.sanitized), columns: columns()))
        }
    }

    private func log(_ state: inout State, at time: Double, _ stallDuration: Double?) {
        state.lastShown = time
        let text = state.line.text(state.progress, verb: verb, at: time, stallDuration: stallDuration)
        guard time - state.lastLogged >= 60 else { return }
        state.lastLogged = time
        Terminal.writeNotice(text)
    }
}
