import Foundation
import Testing

/// Inputs that once were not dealt with as they must. Each is refused now.
@Suite struct FoundInputTests {
    private static let found: [(parser: String, input: String)] = [
        // Ended the process: the reader of XML that was used stumbled over names that are no UTF-8.
        ("token service", "PEFzc3VtZVJvbGVSZXNwb25zZT48RXhwaXJhdGlv724+PC9BPg=="),
        ("S3 listing", "PExpc3RCdWNrZXRSZXN1bHQ+PElzVHJ1bmNhdGVk724+PC9BPg=="),
        // `0a000000-0000-4000-8000-0000-000000A`
        ("UUID", "MGEwMDAwMDAtMDAwMC00MDAwLTgwMDAtMDAwMC0wMDAwMDBB"),
        // `http://[:%3a0]/` was sent to `[::0]`.
        ("address to send to", "aHR0cDovL1s6JTNhMF0v"),
    ]

    @Test(arguments: found) func `What was found stays refused`(_ name: String, _ input: String) async throws {
        let parser = try #require(try await FuzzedParser.all().first { $0.name == name })
        let bytes = [UInt8](try #require(Data(base64Encoded: input)))
        let isAccepted = try await parser.accepts(bytes)
        #expect(!isAccepted)
    }
}
