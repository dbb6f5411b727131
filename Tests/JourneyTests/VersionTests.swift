import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// What the programs say of themselves.
@Suite struct VersionTests {
    @Test(arguments: ["photolala-server", "photolala"])
    func `--version prints the version of the package`(program: String) throws {
        let output = Pipe()
        let process = try ChildProcess(Products.executable(program), ["--version"], output: .pipe(output))
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        #expect(process.waitUntilExit() == 0)
        #expect(String(decoding: bytes, as: UTF8.self) == "\(PhotolalaVersion.current)\n")
    }

    @Test func `jobs says that none was started, and refuses a folder without a store`() async throws {
        try await withTemporaryFolder { data, transport in
            #expect(try OperatorCommand.run("jobs", data: data.appendingPathComponent("misspelt")).status == 69)
            let server = try await ServerProcess(data: data, transport: transport)
            let jobs = try OperatorCommand.run("jobs", data: data)
            #expect(jobs.status == 0, "\(jobs.output)")
            #expect(jobs.output.contains("usage  not started yet  on time"), "\(jobs.output)")
            #expect(server.stop() == 0)
        }
    }
}
