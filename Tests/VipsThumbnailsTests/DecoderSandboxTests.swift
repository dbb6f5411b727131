import Foundation
import Subprocess
import Testing

/// What a decoder may do, tried in a process of its own.
@Suite struct DecoderSandboxTests {
    private func probe(_ words: String...) async throws -> TerminationStatus {
        let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        let probe = folder.appendingPathComponent("sandbox-probe").path
        return try await Subprocess.run(
            .path(.init(probe)), arguments: Arguments(words), environment: .custom([:]), output: .discarded
        ).terminationStatus
    }

    @Test("a decoder can allocate memory up to its limit")
    func memory() async throws {
        #expect(try await probe("allocate") == .exited(0))
        #if os(Linux)
            #expect(try await probe("allocate-much") == .exited(1))
        #endif
    }

    @Test("a decoder cannot write to a file that was opened for writing, and has limited CPU time")
    func limits() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("probe-\(UUID())")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await probe("write", file.path) == .signaled(SIGXFSZ))
        #expect(try Data(contentsOf: file).isEmpty)
        #expect(try await probe("compute") == .signaled(SIGKILL))
    }

    @Test("ffmpeg can open files for reading and run, and has limited CPU time")
    func ffmpeg() async throws {
        #expect(try await probe("ffmpeg", "open") == .exited(0))
        #expect(try await probe("ffmpeg", "execute") == .exited(0))
        #expect(try await probe("ffmpeg", "compute") == .signaled(SIGKILL))
    }

    #if os(Linux) && (arch(x86_64) || arch(arm64))
        @Test(
            "a decoder cannot open files, use the network, start or signal processes, or add code",
            arguments: ["open", "socket", "fork", "execute", "signal", "code"])
        func denied(act: String) async throws {
            #expect(try await probe(act) == .exited(1))
        }

        @Test(
            "ffmpeg cannot change files, use the network or reach other processes",
            arguments: ["open-to-write", "truncate", "remove", "socket", "fork", "signal"])
        func deniedToFFmpeg(act: String) async throws {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("probe-\(UUID())")
            try Data("content".utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(try await probe("ffmpeg", act, file.path) == .exited(1))
            #expect(try Data(contentsOf: file) == Data("content".utf8))
        }
    #endif
}
