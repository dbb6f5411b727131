import Foundation

/// An operator's command of `photolala-server`, run to its end.
struct OperatorCommand {
    let status: Int32
    let output: String

    static func run(_ command: String, _ arguments: String..., data: URL) throws -> OperatorCommand {
        let process = Process()
        process.executableURL = try Products.executable("photolala-server")
        process.arguments = [command, "--environment", "dev", "--data", data.path] + arguments
        process.environment = ["HOME": data.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return OperatorCommand(status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
    }
}
