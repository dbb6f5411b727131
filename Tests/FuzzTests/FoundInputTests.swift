import Foundation
import Testing

/// Inputs that once were not dealt with as they must.
@Suite struct FoundInputTests {
    private static let found: [(parser: String, input: String, isAccepted: Bool)] = [
        // Ended the process: the reader of XML that was used stumbled over names that are no UTF-8.
        ("token service", "PEFzc3VtZVJvbGVSZXNwb25zZT48RXhwaXJhdGlv724+PC9BPg==", false),
        ("S3 listing", "PExpc3RCdWNrZXRSZXN1bHQ+PElzVHJ1bmNhdGVk724+PC9BPg==", false),
        // Ended the process: Foundation's reader of property lists does not bear a set in the binary form.
        (
            "photo's description",
            "YnBsaXN0MDDTAQIDBAUGVG5hbWVZY3JlYXRlZEF0UW4TYi5qcGczQcgwuYAAAACjBwgJEAEjQAQAAAAAAADRCgtRa8EB"
                + "CA8UHiAmLzM1PkFDAAAAAAAAAQEAAAAAAAAADAAAAAAAAAAAAAAAAAAAAEU=",
            true
        ),
        // `0a000000-0000-4000-8000-0000-000000A`
        ("UUID", "MGEwMDAwMDAtMDAwMC00MDAwLTgwMDAtMDAwMC0wMDAwMDBB", false),
        // `http://[:%3a0]/` was sent to `[::0]`.
        ("address to send to", "aHR0cDovL1s6JTNhMF0v", false),
    ]

    @Test(arguments: found) func `What was found is dealt with`(
        _ name: String, _ input: String, _ isAccepted: Bool
    ) async throws {
        let parser = try #require(try await FuzzedParser.all().first { $0.name == name })
        let bytes = [UInt8](try #require(Data(base64Encoded: input)))
        let accepted = try await parser.accepts(bytes)
        #expect(accepted == isAccepted)
    }
}
