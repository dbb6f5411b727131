import Foundation
import PhotolalaTesting
import Testing

/// An installed client program from `PHOTOLALA_CLIENTS_VENV`, `.venv/clients` (see `scripts/install-clients`) or the
/// path; `nil` if it is not installed.
struct RealClient: Sendable {
    let executable: URL

    static let python = RealClient("python3", check: ["-c", "import boto3"])
    static let aws = RealClient("aws", check: ["--version"])
    static let rclone = RealClient("rclone", check: ["version"])

    private init?(_ name: String, check: [String]) {
        let environment = ProcessInfo.processInfo.environment
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let venvs = [environment["PHOTOLALA_CLIENTS_VENV"] ?? "", root.path(percentEncoded: false) + ".venv/clients"]
        let folders =
            venvs.filter { !$0.isEmpty }.map { "\($0)/bin" }
            + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let home = FileManager.default.temporaryDirectory
        for folder in folders {
            let candidate = URL(filePath: folder).appending(path: name)
            guard FileManager.default.isExecutableFile(atPath: candidate.path) else { continue }
            let variables = ["PATH": environment["PATH"] ?? "", "HOME": home.path]
            let process = try? ChildProcess(
                candidate, check, environment: variables, output: .discarded, errors: .discarded)
            if process?.waitUntilExit() == 0 {
                executable = candidate
                return
            }
        }
        return nil
    }

    /// Runs the program to completion and returns its output.
    func run(
        _ arguments: [String], environment: [String: String], in folder: URL
    ) async throws -> (status: Int32, output: String) {
        try await ChildProcess.run(executable, arguments, environment: environment, folder: folder)
    }

    /// Creates a temporary folder, removed after the test.
    static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gateway-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
}
