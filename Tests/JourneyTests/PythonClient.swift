import Foundation
import PhotolalaTesting

/// Python with the packages that `scripts/install-clients` installs.
enum PythonClient {
    /// `nil` if they are missing.
    static let program = InstalledClients.folder(with: "bin/python")?.appending(path: "bin/python")

    /// Whether a real browser is available.
    static let hasBrowser: Bool = {
        guard let program else { return false }
        let mark = program.deletingLastPathComponent().deletingLastPathComponent().appending(path: "browser")
        return [mark.path, "/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy(FileManager.default.fileExists)
    }()

    /// Runs a script to its end and returns its output.
    static func run(
        _ script: String, _ variables: [String: String], in folder: URL
    ) async throws -> (status: Int32, output: String) {
        try await ChildProcess.run(
            try path, ["-c", script], environment: environment(variables, folder))
    }

    /// Runs one of the walks in `Tests/Support/Browser` to its end.
    static func walk(
        _ name: String, _ variables: [String: String], in folder: URL
    ) async throws -> (status: Int32, output: String) {
        let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Support/Browser").standardizedFileURL
        let script = try String(contentsOf: scripts.appendingPathComponent("\(name).py"), encoding: .utf8)
        var all = variables.merging(["PYTHONPATH": scripts.path]) { own, _ in own }
        for name in ["SCREENSHOTS", "PHOTOLALA_RECORD_GOLDEN"] {
            all[name] = ProcessInfo.processInfo.environment[name]
        }
        return try await run(script, all, in: folder)
    }

    /// Starts a script without output.
    static func start(_ script: String, _ variables: [String: String], in folder: URL) throws -> ChildProcess {
        try ChildProcess(path, ["-c", script], environment: environment(variables, folder), errors: .discarded)
    }

    private static var path: URL {
        get throws {
            guard let program else { throw ConformanceFailure("run scripts/install-clients") }
            return program
        }
    }

    private static func environment(_ variables: [String: String], _ folder: URL) -> [String: String] {
        variables.merging(["HOME": folder.path, "PATH": "/usr/bin:/bin"]) { own, _ in own }
    }
}
