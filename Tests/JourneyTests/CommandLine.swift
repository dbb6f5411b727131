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
    func start(_ arguments: [String]) throws -> RunningCommand {
        let words = arguments + ["--server", server, "--profile-dir", profile.path]
        return try RunningCommand(words, home: profile)
    }

    /// Runs a command to its end, off the threads that tasks share.
    @discardableResult
    func run(_ arguments: String...) async throws -> Run {
        try await start(arguments).finish()
    }
}

/// A command that is running.
final class RunningCommand: Sendable {
    private let process: Process
    private let output: URL
    private let errors: URL

    init(_ words: [String], home: URL) throws {
        let folder = home.deletingLastPathComponent()
        output = folder.appendingPathComponent("out-\(UUID().uuidString)")
        errors = folder.appendingPathComponent("err-\(UUID().uuidString)")
        process = Process()
        process.executableURL = try Products.executable("photolala")
        process.arguments = words
        process.environment = ["HOME": home.path, "PATH": "/usr/bin:/bin"]
        for file in [output, errors] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    /// As Ctrl-C does.
    func interrupt() { process.interrupt() }

    func finish() async throws -> CommandLineDevice.Run {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [process] in
                process.waitUntilExit()
                continuation.resume()
            }
        }
        return CommandLineDevice.Run(
            status: process.terminationStatus, output: try Data(contentsOf: output),
            errors: try String(contentsOf: errors, encoding: .utf8)
        )
    }
}
