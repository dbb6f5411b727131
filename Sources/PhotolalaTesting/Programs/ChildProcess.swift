import Dispatch
import Foundation
import Synchronization

/// A child process of a test. Replaces Foundation's `Process`, whose `run()` reads past the end of a buffer on Linux up
/// to Swift 6.3 and can crash the test run (swift-corelibs-foundation, pull request 5472).
package final class ChildProcess: Sendable {
    /// The destination of an output stream.
    package enum Output {
        /// The test's own stream.
        case inherited
        case discarded
        /// The end of a file, which is created if it is missing.
        case file(URL)
        /// The reader of a pipe.
        case pipe(Pipe)
    }

    private struct State {
        var isRunning = true
        var status: Int32 = 0
    }

    package let identifier: pid_t
    private let state = Mutex(State())
    private let end = DispatchGroup()

    /// Starts a program with default signal actions and no open files except its three streams.
    /// - Parameters:
    ///   - environment: The test's own by default.
    ///   - folder: The working directory; the test's own by default.
    ///   - input: A pipe whose writer the test keeps; no input by default.
    /// - Throws: `ConformanceFailure` if the program cannot be started.
    package init(
        _ program: URL, _ arguments: [String] = [], environment: [String: String]? = nil, folder: URL? = nil,
        input: Pipe? = nil, output: Output = .inherited, errors: Output = .inherited
    ) throws {
        var setup = try SpawnSetup()
        if let folder { try setup.setWorkingDirectory(in: folder.path) }
        if let input {
            try setup.duplicate(input.fileHandleForReading.fileDescriptor, as: 0)
        } else {
            try setup.open("/dev/null", O_RDONLY, as: 0)
        }
        for (stream, output) in [(Int32(1), output), (2, errors)] {
            switch output {
            case .inherited: try setup.duplicate(stream, as: stream)
            case .discarded: try setup.open("/dev/null", O_WRONLY, as: stream)
            case .file(let file): try setup.open(file.path, O_WRONLY | O_CREAT | O_APPEND, as: stream)
            case .pipe(let pipe): try setup.duplicate(pipe.fileHandleForWriting.fileDescriptor, as: stream)
            }
        }
        let variables = environment ?? ProcessInfo.processInfo.environment
        identifier = try setup.spawn([program.path] + arguments, variables.map { "\($0.key)=\($0.value)" })
        // A reader sees the end of the stream only when no other process holds the writing end.
        try input?.fileHandleForReading.close()
        for case .pipe(let pipe) in [output, errors] { try pipe.fileHandleForWriting.close() }
        end.enter()
        Thread.detachNewThread { self.reap() }
    }

    package var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Sends a signal if the program is still running.
    package func send(_ signal: Int32) {
        state.withLock { if $0.isRunning { Foundation.kill(identifier, signal) } }
    }

    /// Kills the program with SIGKILL and waits for its end.
    package func kill() {
        send(SIGKILL)
        waitUntilExit()
    }

    /// Blocks the thread until the program has ended.
    /// - Returns: The exit status, or 128 plus the number of the signal that ended the program.
    @discardableResult
    package func waitUntilExit() -> Int32 {
        end.wait()
        return state.withLock { $0.status }
    }

    /// Waits like `waitUntilExit`, without blocking a thread.
    @discardableResult
    package func exit() async -> Int32 {
        await withCheckedContinuation { continuation in
            end.notify(queue: .global()) { continuation.resume() }
        }
        return state.withLock { $0.status }
    }

    /// The process id is released only while the lock is held, so that no signal reaches another process.
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
    /// Runs a program to its end without blocking a thread, and returns its complete output.
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
