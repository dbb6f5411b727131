import Foundation
import PhotolalaTesting

/// A shell in a real terminal of tmux, with a server of its own.
struct TerminalWindow {
    static let tmux = URL(filePath: "/usr/bin/tmux")
    private let socket: String
    private let folder: URL

    /// - Parameter variables: The environment of the shell.
    init(in folder: URL, columns: Int, rows: Int = 24, variables: [String: String]) async throws {
        socket = folder.appending(path: "tmux").path
        self.folder = folder
        // tmux itself replaces variables such as PATH.
        let settings = variables.map { "'\($0.key)=\($0.value)'" }.joined(separator: " ")
        try await command([
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", folder.path,
            "exec env \(settings) /bin/sh",
        ])
        try await waitForScreen { !$0.isEmpty }
    }

    func close() async { _ = try? await command(["kill-server"]) }

    /// Types a text, and Return.
    func type(_ text: String) async throws {
        try await command(["send-keys", "-l", text])
        try await press("Enter")
    }

    /// Presses a key by tmux's name for it.
    func press(_ key: String) async throws { try await command(["send-keys", key]) }

    func resize(columns: Int) async throws { try await command(["resize-window", "-x", "\(columns)"]) }

    /// Returns the visible lines, without those at the end that are empty.
    func screen() async throws -> String {
        try await command(["capture-pane", "-p"]).trimmingCharacters(in: .newlines)
    }

    /// Waits until the screen fulfils a condition, and returns it.
    @discardableResult
    func waitForScreen(_ condition: @escaping (String) -> Bool) async throws -> String {
        var last = ""
        do {
            try await waitUntil("the screen shows what was expected", every: .milliseconds(100)) {
                last = try await screen()
                return condition(last)
            }
        } catch { throw ConformanceFailure("\(error)\n\(last)") }
        return last
    }

    @discardableResult
    private func command(_ words: [String]) async throws -> String {
        let run = try await ChildProcess.run(
            Self.tmux, ["-S", socket, "-u"] + words, environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"])
        guard run.status == 0 else { throw ConformanceFailure("tmux \(words): \(run.output)") }
        return run.output
    }
}
