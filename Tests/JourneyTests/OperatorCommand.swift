import Foundation
import PhotolalaTesting

/// An operator's command of `photolala-server`, run to its end.
struct OperatorCommand {
    let status: Int32
    let output: String

    /// Runs a command on a folder.
    static func run(_ command: String, _ arguments: String..., data: URL) throws -> OperatorCommand {
        try run([command, "--environment", "dev", "--data", data.path] + arguments, ["HOME": data.path])
    }

    /// Runs a command on a bucket.
    static func run(_ command: String, _ arguments: String..., on engine: SeaweedFS) throws -> OperatorCommand {
        try run([command, "--environment", "dev"] + arguments, engine.serverVariables)
    }

    private static func run(_ words: [String], _ variables: [String: String]) throws -> OperatorCommand {
        let process = Process()
        process.executableURL = try Products.executable("photolala-server")
        process.arguments = words
        process.environment = variables
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return OperatorCommand(status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
    }
}
