import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import Monitoring
import NIOCore
import ObjectStorage
import PhotolalaTesting
import StorageGateway
import Testing

/// Mutated requests on real connections to both endpoints.
@Suite struct ServerFuzzTests {
    @Test func `after mutated requests, connections to the JSON server end and it still responds`() async throws {
        try await FuzzedProcess.run { folder in
            await #expect(processExitsWith: .success) { [folder = folder as String] in
                let service = try await TestService.make()
                try await service.server().test(.live) { client in
                    let port = try #require(client.port)
                    let parser = try await FuzzedParser.server(port: port, service)
                    try await Self.attack(parser, folder, port: port, "GET /health/live")
                }
            }
        }
    }

    @Test func `after mutated requests, connections to the S3 endpoint end and it still responds`() async throws {
        try await FuzzedProcess.run { folder in
            await #expect(processExitsWith: .success) { [folder = folder as String] in
                let endpoint = try SignedStorage()
                let gateway = buildStorageGateway(
                    settings: endpoint.settings, store: MemoryObjectStore { ForgedProvider.now },
                    keyRing: endpoint.keyRing,
                    sessions: SignedStorage.ActiveSessions(), metrics: .none, now: { ForgedProvider.now },
                    randomness: .seeded(5),
                    logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
                try await gateway.test(.live) { client in
                    let port = try #require(client.port)
                    let parser = try FuzzedParser.storage(port: port)
                    try await Self.attack(parser, folder, port: port, "OPTIONS /photolala-dev")
                }
            }
        }
    }

    private static func attack(_ parser: FuzzedParser, _ folder: String, port: Int, _ good: String) async throws {
        for input in parser.corpus { try #require(await parser.accepts(input)) }
        let outcome = try await FuzzRun(parsers: [parser], folder: folder).run(seeds: 150)
        try #require(outcome.failed.isEmpty)
        let request = "\(good) HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n"
        let response = try await RawExchange.send(Array(request.utf8), port: port)
        try #require(response.starts(with: "HTTP/1.1 ".utf8))
    }
}
