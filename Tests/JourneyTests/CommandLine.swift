import Foundation
import PhotolalaTesting

/// The shipped command line on a device of its own.
struct CommandLineDevice: Sendable {
    let profile: URL
    let server: String

    /// What a run gave.
    struct Run: Sendable {
        let status: Int32
        let output: Data
        let errors: String

        /// The output as text.
        var text: String { String(decoding: output, as: UTF8.self) }

        /// The JSON that `--json` prints.
        func json() throws -> [String: Any] {
            guard let object = try JSONSerialization.jsonObject(with: output) as? [String: Any] else {
                throw ConformanceFailure("no JSON: \(String(decoding: output, as: UTF8.self)) \(errors)")
            }
            return object
        }

        /// A number in the report of the one folder that was backed up.
        func folder(_ name: String) throws -> Int? {
            (try json()["folders"] as? [[String: Any]])?.first?[name] as? Int
        }
    }

    /// Starts a command; `finish` waits for its end.
    /// - Parameter longestFile: in KiB; the system refuses to let the command write a longer one.
    func start(_ arguments: [String], longestFile: Int? = nil) throws -> RunningCommand {
        let words = arguments + ["--server", server, "--profile-dir", profile.path]
        return try RunningCommand(words, home: profile, longestFile: longestFile)
    }

    /// Runs a command to its end, off the threads that tasks share.
    @discardableResult
    func run(_ arguments: String...) async throws -> Run {
        try await start(arguments).finish()
    }
}

/// A command that is running.
final class RunningCommand: Sendable {
    private let process: ChildProcess
    private let output: URL
    private let errors: URL

    /// - Parameter name: which of the programs.
    init(_ words: [String], home: URL, name: String = "photolala", longestFile: Int? = nil) throws {
        let folder = home.deletingLastPathComponent()
        output = folder.appendingPathComponent("out-\(UUID().uuidString)")
        errors = folder.appendingPathComponent("err-\(UUID().uuidString)")
        var (program, words) = (try Products.executable(name), words)
        if let longestFile {
            // The signal would end the command before it is told.
            let limit = "trap '' XFSZ; ulimit -f \(longestFile); exec \"$0\" \"$@\""
            words = ["-c", limit, program.path] + words
            program = URL(filePath: "/bin/bash")
        }
        process = try ChildProcess(
            program, words, environment: ["HOME": home.path, "PATH": "/usr/bin:/bin"], output: .file(output),
            errors: .file(errors))
    }

    /// As Ctrl-C does.
    func interrupt() { process.send(SIGINT) }

    var isRunning: Bool { process.isRunning }

    /// What it has printed so far, by whole lines.
    var lines: [String] {
        let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// As a power cut does.
    func kill() { process.send(SIGKILL) }

    func finish() async throws -> CommandLineDevice.Run {
        CommandLineDevice.Run(
            status: await process.exit(), output: try Data(contentsOf: output),
            errors: try String(contentsOf: errors, encoding: .utf8)
        )
    }
}
