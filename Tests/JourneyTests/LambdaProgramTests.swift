import Foundation
import PhotolalaTesting
import Testing

/// What `photolala-lambda` needs from its system.
@Suite(
    .enabled("objdump lists the symbols that a program needs") {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/objdump")
    })
struct LambdaProgramTests {
    private func check(_ program: String) async throws -> (status: Int32, output: String) {
        try await ChildProcess.run(
            Repository.root.appending(path: "scripts/check-lambda"), [Products.executable(program).path])
    }

    @Test func `it needs no newer C library than Lambda has, and no database`() async throws {
        let (status, output) = try await check("photolala-lambda")
        #expect(status == 0, "\(output)")
    }

    @Test func `the check rejects a program with SQLite`() async throws {
        let (status, output) = try await check("photolala-server")
        #expect(status == 1 && output.contains("SQLite"), "\(output)")
    }

    @Test func `without a runtime API it says where it runs`() async throws {
        let (status, output) = try await ChildProcess.run(Products.executable("photolala-lambda"), environment: [:])
        #expect(status == 78 && output.contains("AWS_LAMBDA_RUNTIME_API is not set"), "\(output)")
    }
}
