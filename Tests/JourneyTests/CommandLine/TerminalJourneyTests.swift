import Foundation
import PhotolalaTesting
import Testing

/// The command line in a real terminal.
@Suite(
    .serialized, .enabled(if: FileManager.default.fileExists(atPath: TerminalWindow.tmux.path), "tmux is not installed")
)
struct TerminalJourneyTests {
    /// A backup of 20 photos takes some 25 seconds, so that its progress is seen on a busy machine too.
    private static let backup = "photolala backup photos --no-thumbnails --bwlimit 40kB"

    /// Runs a test with a signed-up device and photos in a folder, in a terminal.
    private func withWindow(
        columns: Int, photos: Int = 20, variables: [String: String] = [:],
        _ test: (URL, TerminalWindow) async throws -> Void
    ) async throws {
        try await SyncJourneyTests.withDevices { devices, server in
            let folder = devices.laptop.profile.deletingLastPathComponent()
            try PhotoFolder.make(photos, in: folder.appending(path: "photos"), size: 50_000)
            let program = try Products.executable("photolala").deletingLastPathComponent().path
            let own = [
                "PATH": "\(program):/usr/bin:/bin", "HOME": folder.path, "TERM": "xterm-256color",
                "PHOTOLALA_SERVER": server.address, "PHOTOLALA_PROFILE_DIR": devices.laptop.profile.path,
            ]
            let window = try await TerminalWindow(
                in: folder, columns: columns, variables: own.merging(variables) { _, new in new })
            do { try await test(folder, window) } catch {
                await window.close()
                throw error
            }
            await window.close()
        }
    }

    @Test("progress stays on one line of a narrow and of a widened terminal, and disappears at the end")
    func progress() async throws {
        try await withWindow(columns: 40) { _, window in
            try await window.type(Self.backup)
            func line(_ columns: Int) async throws {
                let screen = try await window.waitForScreen { $0.contains("\nBacking up ") }
                let lines = screen.split(separator: "\n").filter { $0.hasPrefix("Backing up ") }
                #expect(lines.count == 1 && lines[0].count < columns, "\(screen)")
            }
            try await line(40)
            try await window.resize(columns: 120)
            try await window.waitForScreen { $0.contains("/s") }
            try await line(120)
            let end = try await window.waitForScreen { $0.contains("Uploaded 20 of") }
            #expect(!end.contains("\nBacking up "), "\(end)")
        }
    }

    @Test("Ctrl-C stops a backup with advice and status 130, and the next one resumes it")
    func interruption() async throws {
        try await withWindow(columns: 100, photos: 60) { _, window in
            try await window.type(Self.backup)
            try await window.waitForScreen { $0.contains("\nBacking up ") }
            try await window.press("C-c")
            try await window.waitForScreen {
                $0.contains("Stopping. Press Ctrl-C again to force quit.")
                    && $0.contains("Run the same command again to resume.")
            }
            try await window.type("echo status $?")
            try await window.waitForScreen { $0.contains("\nstatus 130") }
            try await window.type("clear; photolala backup photos --no-thumbnails; echo status $?")
            let end = try await window.waitForScreen { $0.contains("\nstatus 0") }
            #expect(end.contains("of 60 files"), "\(end)")
        }
    }

    @Test("a question is asked in the terminal, and only y or yes confirms it")
    func question() async throws {
        try await withWindow(columns: 80, photos: 1) { _, window in
            try await window.type("photolala backup photos --no-thumbnails -q; photolala list; echo status $?")
            let list = try await window.waitForScreen { $0.contains("\nstatus 0") }
            let path = try #require(
                list.split(separator: "\n").first { $0.contains(".jpg") }?.split(separator: "\t").last)
            let name = path.split(separator: " ").last ?? path
            let asked = "[y/N]"
            for (answer, status) in [("n", 1), ("", 1), ("y", 0)] {
                try await window.type("clear; photolala trash put '\(name)'; echo status $?")
                try await window.waitForScreen { $0.contains(asked) }
                try await window.type(answer)
                try await window.waitForScreen { $0.contains("\nstatus \(status)") }
            }
            try await window.type("clear; photolala delete-account; echo status $?")
            try await window.waitForScreen { $0.contains("DELETE") && !$0.contains("\nstatus") }
            try await window.press("C-c")
            try await window.waitForScreen { $0.contains("\nstatus 1") }
        }
    }

    @Test("a terminal that cannot replace lines gets no escape sequences")
    func dumb() async throws {
        try await withWindow(columns: 80, variables: ["TERM": "dumb"]) { folder, window in
            let bytes = folder.appending(path: "bytes")
            try await window.type(
                "script -q -c 'photolala backup photos --no-thumbnails --verbose' '\(bytes.path)' >/dev/null; echo end")
            try await window.waitForScreen { $0.contains("\nend") }
            let text = try String(contentsOf: bytes, encoding: .utf8)
            #expect(text.contains("Uploaded 20 of") && !text.contains("\u{1B}"), "\(text.debugDescription)")
        }
    }
}
