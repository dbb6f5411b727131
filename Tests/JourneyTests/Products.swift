import Foundation
import PhotolalaTesting
import Transport

/// The executables that were built with the tests.
enum Products {
    static func executable(_ name: String) throws -> URL {
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
        var folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
        while folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
        let executable = folder.appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: executable.path) else {
            throw ConformanceFailure("\(name) was not built")
        }
        return executable
    }
}

/// Creates a folder that is removed after the test.
func withTemporaryFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("photolala-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// Also creates a client transport, whose connections are closed even if the test throws.
func withTemporaryFolder(_ body: (URL, AsyncHTTPTransport) async throws -> Void) async throws {
    // Some journeys make hundreds of concurrent calls; a request that waits for a connection soon times out.
    let transport = AsyncHTTPTransport(connectionsPerHost: 200)
    do {
        try await withTemporaryFolder { folder in try await body(folder, transport) }
    } catch {
        try? await transport.shutdown()
        throw error
    }
    try await transport.shutdown()
}
