import Foundation
import PhotolalaTesting
import Testing

/// Programs whose standard output cannot be written.
@Suite struct LostOutputTests {
    /// Runs a program with a standard output and returns its exit status and its messages.
    private func run(_ program: String, _ words: [String], to output: String) throws -> (status: Int32, errors: String)
    {
        let errors = Pipe()
        let process = try ChildProcess(
            URL(filePath: "/bin/bash"),
            ["-c", "\(output); \"$0\" \"$@\" >&9; exit $?", try Products.executable(program).path] + words,
            environment: ["PATH": "/usr/bin:/bin", "SHELL": "/bin/bash"], errors: .pipe(errors))
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        return (process.waitUntilExit(), text)
    }

    /// A pipe whose reader has ended, as with `| head`.
    private static let closedPipe = "exec 9> >(:); wait $!"

    @Test(
        arguments: [
            ("photolala", ["--help"]), ("photolala", ["completions"]), ("photolala-server", ["--help"]),
            ("photolala-server", ["--version"]),
        ])
    func `a closed pipe ends a program by SIGPIPE, without a message`(program: String, words: [String]) throws {
        let ended = try run(program, words, to: Self.closedPipe)
        #expect(ended.status == 128 + SIGPIPE && ended.errors.isEmpty, "\(ended)")
    }

    @Test func `so it ends commands that have used the network, which ignore the signal`() async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appending(path: "data")
            let server = try await ServerProcess(data: data, transport: transport)
            let device = CommandLineDevice(profile: folder.appending(path: "device"), server: server.address)
            try await device.run("signup", "--provider", "apple", "--dev-user", "bob")
            let options = ["--server", device.server, "--profile-dir", device.profile.path]
            for words in [["whoami"], ["list", "--json"], ["history"], ["doctor"], ["doctor", "--json"]] {
                let ended = try run("photolala", words + options, to: Self.closedPipe)
                #expect(ended.status == 128 + SIGPIPE && ended.errors.isEmpty, "\(words): \(ended)")
            }
            let operatorCommand = ["jobs", "--environment", "dev", "--data", data.path]
            let ended = try run("photolala-server", operatorCommand, to: Self.closedPipe)
            #expect(ended.status == 128 + SIGPIPE && ended.errors.isEmpty, "\(ended)")
            #expect(server.stop() == 0)
        }
    }

    #if os(Linux)
        @Test(arguments: ["photolala", "photolala-server"])
        func `output that a full disk does not take is an error`(program: String) throws {
            let failed = try run(program, ["--help"], to: "exec 9> /dev/full")
            #expect(failed.status == 1)
            #expect(failed.errors == "error: Cannot write to standard output: No space left on device.\n")
        }
    #endif
}
