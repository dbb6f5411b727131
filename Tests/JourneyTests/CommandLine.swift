import Foundation
import PhotolalaTesting

/// The shipped command line on a separate device.
struct CommandLineDevice: Sendable {
    let profile: URL
    let server: String

    /// The result of a run.
    struct Run: Sendable {
        let status: Int32
        let output: Data
        let errors: String

        /// The output as text.
        var text: String { String(decoding: output, as: UTF8.self) }

        /// Returns the JSON that `--json` prints.
        func json() throws -> [String: Any] {
            guard let object = try JSONSerialization.jsonObject(with: output) as? [String: Any] else {
                throw ConformanceFailure("no JSON: \(String(decoding: output, as: UTF8.self)) \(errors)")
            }
            return object
        }

        /// Returns a number in the report of the single backed-up folder.
        func folder(_ name: String) throws -> Int? {
            (try json()["folders"] as? [[String: Any]])?.first?[name] as? Int
        }
    }

    /// Starts a command; `finish` waits for its end.
    /// - Parameter longestFile: in KiB; the system does not let the command write a longer file.
    func start(_ arguments: [String], longestFile: Int? = nil) throws -> RunningCommand {
        let words = arguments + ["--server", server, "--profile-dir", profile.path]
        return try RunningCommand(words, home: profile, longestFile: longestFile)
    }

    /// Runs a command to its end, outside the cooperative thread pool.
    @discardableResult
    func run(_ arguments: String...) async throws -> Run { try await run(arguments) }

    func run(_ arguments: [String]) async throws -> Run { try await start(arguments).finish() }
}

/// A running command.
final class RunningCommand: Sendable {
    private let process: ChildProcess
    private let output: URL
    private let errors: URL

    /// - Parameter name: the program to run.
    init(_ words: [String], home: URL, name: String = "photolala", longestFile: Int? = nil) throws {
        let folder = home.deletingLastPathComponent()
        output = folder.appendingPathComponent("out-\(UUID().uuidString)")
        errors = folder.appendingPathComponent("err-\(UUID().uuidString)")
        var (program, words) = (try Products.executable(name), words)
        if let longestFile {
            // Otherwise the signal would end the command before it receives the error.
            let limit = "trap '' XFSZ; ulimit -f \(longestFile); exec \"$0\" \"$@\""
            words = ["-c", limit, program.path] + words
            program = URL(filePath: "/bin/bash")
        }
        process = try ChildProcess(
            program, words, environment: ["HOME": home.path, "PATH": "/usr/bin:/bin"], output: .file(output),
            errors: .file(errors))
    }

    /// Interrupts the command like Ctrl-C.
    func interrupt() { process.send(SIGINT) }

    var isRunning: Bool { process.isRunning }

    /// The complete lines printed so far.
    var lines: [String] {
        let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Kills the command like a power failure.
    func kill() { process.send(SIGKILL) }

    func finish() async throws -> CommandLineDevice.Run {
        CommandLineDevice.Run(
            status: await process.exit(), output: try Data(contentsOf: output),
            errors: try String(contentsOf: errors, encoding: .utf8)
        )
    }
}
