import Foundation
import PhotolalaTesting
import Testing

/// The real server with its operators' listener on a Unix domain socket.
@Suite struct OperatorSocketJourneyTests {
    @Test("metrics and the operator API answer on a Unix socket, which a killed server's successor replaces")
    func socket() async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let path = folder.appendingPathComponent("operator.sock").path
            let variables = ["PHOTOLALA_OPERATOR_LISTEN": "unix:\(path)", "PHOTOLALA_LOG_LEVEL": "notice"]
            let log = folder.appendingPathComponent("log")
            let first = try await ServerProcess(data: data, transport: transport, variables: variables)
            let client = SocketClient(path)
            try await waitUntil("the first server listens on the socket") { (try? await client.get("/metrics")) != nil }
            first.kill()
            #expect(FileManager.default.fileExists(atPath: path))
            let server = try await ServerProcess(
                data: data, transport: transport, variables: variables,
                logs: (folder.appendingPathComponent("output"), log))
            defer { server.kill() }
            try await waitUntil("the server listens on the socket") {
                (try? await client.get("/metrics"))?.hasPrefix("HTTP/1.1 200 OK\r\n") == true
            }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o660)
            #expect(try await client.get("/metrics").contains("\nphotolala_"))
            #expect(try await client.get("/metrics", host: "evil.example").hasPrefix("HTTP/1.1 421 "))
            let anonymous = try await client.get("/api/jobs")
            #expect(anonymous.hasPrefix("HTTP/1.1 401 "))
            let made = try OperatorCommand.run("operators", "create", "alice", "--role", "read", on: data)
            let key = try #require(made.output.firstMatch(of: /plo_\S+/)).output
            let jobs = try await client.get(
                "/api/jobs", headers: ["Authorization: Bearer \(key)", "Photolala-Reason: ticket-1"])
            #expect(jobs.hasPrefix("HTTP/1.1 200 OK\r\n") && jobs.contains(#""job":"deletions""#))

            #expect(try Self.start(folder, on: path).contains("unix:\(path) is already in use. Choose another address"))
            #expect(try await client.get("/metrics").hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(server.stop() == 0)
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(try String(contentsOf: log, encoding: .utf8).contains("operator=unix:\(path)"))

            try Data("mine".utf8).write(to: URL(filePath: path))
            #expect(try Self.start(folder, on: path).contains("unix:\(path) is a file that is not a socket"))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        }
    }

    /// Starts a server that ends with status 69, and returns what it says.
    private static func start(_ folder: URL, on path: String) throws -> String {
        let settings = folder.appendingPathComponent("settings.json")
        try Data(#"{"operator": {"listen": "unix:\#(path)"}}"#.utf8).write(to: settings)
        let ports = (try freePort(), try freePort())
        return try OperatorCommand.refusal(
            of: [
                "serve", "--config", settings.path, "--listen", "127.0.0.1:\(ports.0)", "--s3-listen",
                "127.0.0.1:\(ports.1)",
            ], data: folder.appendingPathComponent("other"))
    }
}
