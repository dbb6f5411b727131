import Foundation

/// Python with the parts that `scripts/install-clients` brings.
enum PythonClient {
    /// `nil` where they are missing.
    static let program = InstalledClients.folder(with: "bin/python")?.appending(path: "bin/python")

    /// Runs a script to its end, and gives all it printed.
    static func run(
        _ script: String, _ variables: [String: String], in folder: URL
    ) async throws -> (status: Int32, output: String) {
        let log = folder.appendingPathComponent("python.log")
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        defer { try? output.close() }
        let process = Process()
        process.executableURL = program
        process.arguments = ["-c", script]
        process.environment = variables.merging(["HOME": folder.path, "PATH": "/usr/bin:/bin"]) { old, _ in old }
        process.standardOutput = output
        process.standardError = output
        let status = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        return (status, String(decoding: try Data(contentsOf: log), as: UTF8.self))
    }
}
