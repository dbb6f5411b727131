import Foundation
import PhotolalaTesting
import S3Protocol
import Synchronization

/// An operator's command of `photolala-server`, run to its end.
struct OperatorCommand {
    let status: Int32
    let output: String

    /// Runs a command on a folder.
    static func run(_ command: String, _ arguments: String..., data: URL) throws -> OperatorCommand {
        try run(command, arguments, data: data)
    }

    static func run(
        _ command: String, _ arguments: [String], data: URL, variables: [String: String] = [:]
    ) throws -> OperatorCommand {
        try run(
            [command, "--environment", "dev", "--data", data.path] + arguments,
            ["HOME": data.path].merging(variables) { _, new in new })
    }

    /// Runs a subcommand on a folder.
    static func run(
        _ command: String, _ subcommand: String, _ arguments: String..., on data: URL
    ) throws -> OperatorCommand {
        let words = [command, subcommand, "--environment", "dev", "--data", data.path]
        return try run(words + arguments, ["HOME": data.path])
    }

    /// Runs a command on a bucket.
    static func run(_ command: String, _ arguments: String..., on engine: SeaweedFS) throws -> OperatorCommand {
        try run([command, "--environment", "dev"] + arguments, engine.serverVariables)
    }

    /// Runs a command on a bucket with keys other than the service's.
    static func run(
        _ command: String, _ arguments: [String], on engine: SeaweedFS, as keys: AWSCredentials
    ) throws -> OperatorCommand {
        var variables = engine.serverVariables
        variables["PHOTOLALA_S3_ACCESS_KEY_ID"] = keys.accessKeyID
        variables["PHOTOLALA_S3_SECRET_ACCESS_KEY"] = keys.secretAccessKey
        return try run([command, "--environment", "dev"] + arguments, variables)
    }

    private static func run(_ words: [String], _ variables: [String: String]) throws -> OperatorCommand {
        let output = Pipe()
        let process = try ChildProcess(
            Products.executable("photolala-server"), words, environment: variables, output: .pipe(output))
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        return OperatorCommand(status: process.waitUntilExit(), output: String(decoding: bytes, as: UTF8.self))
    }

    /// Runs a command on a folder that is refused with status 69, and returns what it says on standard error.
    static func refusal(
        of words: [String], data: URL, variables: [String: String] = [:]
    ) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("refusal-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let process = try ChildProcess(
            Products.executable("photolala-server"), words + ["--environment", "dev", "--data", data.path],
            environment: ["HOME": data.path].merging(variables) { _, new in new }, output: .discarded,
            errors: .file(file))
        guard process.waitUntilExit() == 69 else { throw ConformanceFailure("\(words) is not refused") }
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Runs a command off the threads that tasks share, and repeats an action until the command has ended.
    /// - Parameter limit: The most repetitions.
    static func run(
        _ command: String, _ arguments: [String], data: URL, upTo limit: Int, while act: () async throws -> Void
    ) async throws -> OperatorCommand {
        let ended = Mutex<Result<OperatorCommand, any Error>?>(nil)
        Thread.detachNewThread {
            let result = Result { try run(command, arguments, data: data) }
            ended.withLock { $0 = result }
        }
        var count = 0
        while count < limit, ended.withLock({ $0 == nil }) {
            try await act()
            count += 1
        }
        try await waitUntil("\(command) ends") { ended.withLock { $0 != nil } }
        guard let result = ended.withLock({ $0 }) else { throw ConformanceFailure("the command did not end") }
        return try result.get()
    }
}
