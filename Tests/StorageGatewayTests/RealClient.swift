import Foundation
import Testing

/// A client program on this machine, found in `PHOTOLALA_CLIENTS_VENV`, in `.venv/clients` (see
/// `scripts/install-clients`) or on the path; `nil` when there is none.
struct RealClient: Sendable {
    struct Outcome: Sendable {
        let status: Int32
        let output: String
    }

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
            let process = Process()
            process.executableURL = candidate
            process.arguments = check
            process.environment = ["PATH": environment["PATH"] ?? "", "HOME": home.path]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { continue }
            process.waitUntilExit()
            if process.terminationStatus == 0 {
                executable = candidate
                return
            }
        }
        return nil
    }

    /// Runs the program to its end without holding a thread of the pool, and gives all it printed.
    func run(_ arguments: [String], environment: [String: String], in folder: URL) async throws -> Outcome {
        let log = folder.appending(path: "\(UUID().uuidString).log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let output = try FileHandle(forWritingTo: log)
        defer { try? output.close() }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        let status = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        return Outcome(status: status, output: String(decoding: try Data(contentsOf: log), as: UTF8.self))
    }

    /// A folder of a test's own, removed when the test is over.
    static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gateway-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
}
