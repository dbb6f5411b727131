import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The version output of the programs.
@Suite struct VersionTests {
    @Test(arguments: ["photolala-server", "photolala"])
    func `--version prints the version of the package`(program: String) throws {
        let output = Pipe()
        let process = try ChildProcess(Products.executable(program), ["--version"], output: .pipe(output))
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        #expect(process.waitUntilExit() == 0)
        #expect(String(decoding: bytes, as: UTF8.self) == "\(PhotolalaVersion.current)\n")
    }

    @Test(arguments: [("photolala-server", "serve"), ("photolala", "list")])
    func `an argument that is not UTF-8 is reported, and the exit status is 64`(program: String, command: String) throws
    {
        let errors = Pipe()
        let script = #"exec "$0" "$1" "$(printf 'caf\351')""#
        let process = try ChildProcess(
            URL(filePath: "/bin/bash"), ["-c", script, Products.executable(program).path, command],
            errors: .pipe(errors))
        let bytes = try errors.fileHandleForReading.readToEnd() ?? Data()
        #expect(process.waitUntilExit() == 64)
        #expect(String(decoding: bytes, as: UTF8.self).contains(#"Argument 2 is not valid UTF-8: caf\xE9."#))
    }

    @Test func `jobs lists jobs that have not started, and fails for a folder without a store`() async throws {
        try await withTemporaryFolder { data, transport in
            #expect(try OperatorCommand.run("jobs", data: data.appendingPathComponent("misspelt")).status == 69)
            let server = try await ServerProcess(data: data, transport: transport)
            let jobs = try OperatorCommand.run("jobs", data: data)
            #expect(jobs.status == 0, "\(jobs.output)")
            #expect(jobs.output.contains("usage                 on time  not started yet"), "\(jobs.output)")
            #expect(server.stop() == 0)
        }
    }
}
