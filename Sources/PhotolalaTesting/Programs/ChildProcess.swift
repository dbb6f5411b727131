import Dispatch
import Foundation
import Synchronization

/// A program that runs beside a test. Foundation's `Process` is not used: up to Swift 6.3 its `run()` reads past the end
/// of a buffer on Linux, and so ends a whole test run now and then (swift-corelibs-foundation, pull request 5472).
package final class ChildProcess: Sendable {
    /// Where a stream of the program goes.
    package enum Output {
        /// Where the test's own goes.
        case inherited
        case discarded
        /// To the end of a file, which is made if it is not there.
        case file(URL)
        /// To the reader of a pipe.
        case pipe(Pipe)
    }

    private struct State {
        var isRunning = true
        var status: Int32 = 0
    }

    package let identifier: pid_t
    private let state = Mutex(State())
    private let end = DispatchGroup()

    /// Starts a program, with the signals' default actions and no open files but its three streams.
    /// - Parameters:
    ///   - environment: the test's own by default.
    ///   - folder: the one it works in; the test's own by default.
    ///   - input: a pipe whose writer the test keeps; nothing by default.
    /// - Throws: `ConformanceFailure` when it cannot be started.
    package init(
        _ program: URL, _ arguments: [String] = [], environment: [String: String]? = nil, folder: URL? = nil,
        input: Pipe? = nil, output: Output = .inherited, errors: Output = .inherited
    ) throws {
        var setup = try SpawnSetup()
        if let folder { try setup.work(in: folder.path) }
        if let input {
            try setup.give(input.fileHandleForReading.fileDescriptor, as: 0)
        } else {
            try setup.open("/dev/null", O_RDONLY, as: 0)
        }
        for (stream, output) in [(Int32(1), output), (2, errors)] {
            switch output {
            case .inherited: try setup.give(stream, as: stream)
            case .discarded: try setup.open("/dev/null", O_WRONLY, as: stream)
            case .file(let file): try setup.open(file.path, O_WRONLY | O_CREAT | O_APPEND, as: stream)
            case .pipe(let pipe): try setup.give(pipe.fileHandleForWriting.fileDescriptor, as: stream)
            }
        }
        let variables = environment ?? ProcessInfo.processInfo.environment
        identifier = try setup.spawn([program.path] + arguments, variables.map { "\($0.key)=\($0.value)" })
        // A reader hears of the program's end only when nobody else holds its end of the pipe.
        try input?.fileHandleForReading.close()
        for case .pipe(let pipe) in [output, errors] { try pipe.fileHandleForWriting.close() }
        end.enter()
        Thread.detachNewThread { self.reap() }
    }

    package var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Sends a signal, if it still runs.
    package func send(_ signal: Int32) {
        state.withLock { if $0.isRunning { Foundation.kill(identifier, signal) } }
    }

    /// Ends it as a power cut would, and waits until it is gone.
    package func kill() {
        send(SIGKILL)
        waitUntilExit()
    }

    /// Holds the thread until the program has ended.
    /// - Returns: what it exited with, or 128 and the number of the signal that ended it.
    @discardableResult
    package func waitUntilExit() -> Int32 {
        end.wait()
        return state.withLock { $0.status }
    }

    /// As `waitUntilExit`, without a thread.
    @discardableResult
    package func exit() async -> Int32 {
        await withCheckedContinuation { continuation in
            end.notify(queue: .global()) { continuation.resume() }
        }
        return state.withLock { $0.status }
    }

    /// The process id stays the program's until the lock is held, so that no signal goes to another.
    private func reap() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        state.withLock { state in
            var outcome: Int32 = 0
            waitpid(identifier, &outcome, 0)
            let signal = outcome & 0x7f
            state = State(isRunning: false, status: signal == 0 ? (outcome >> 8) & 0xff : 128 + signal)
        }
        end.leave()
    }
}

extension ChildProcess {
    /// Runs a program to its end, without a thread, and gives all it printed.
    package static func run(
        _ program: URL, _ arguments: [String] = [], environment: [String: String]? = nil, folder: URL? = nil
    ) async throws -> (status: Int32, output: String) {
        let log = FileManager.default.temporaryDirectory.appending(
            path: "output-\(ProcessInfo.processInfo.globallyUniqueString)")
        defer { try? FileManager.default.removeItem(at: log) }
        let process = try ChildProcess(
            program, arguments, environment: environment, folder: folder, output: .file(log), errors: .file(log))
        return (await process.exit(), String(decoding: try Data(contentsOf: log), as: UTF8.self))
    }
}
