import Foundation
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import Transport

@testable import PhotolalaClient

/// Pinning the key of the server in an app.
@Suite struct ServerPinsTests {
    private static let (first, second) = (hash(1), hash(2))

    private static func hash(_ byte: UInt8) -> String { Data(repeating: byte, count: 32).base64EncodedString() }

    private func pins(
        _ server: String = "https://photos.example", _ current: [String] = [first], _ backup: [String] = [second]
    ) throws -> ServerPins {
        try ServerPins(
            server: try ServerAddress(server), publicKeyHashes: current, backupHashes: backup,
            expiresAt: ClientFixture.start + 60)
    }

    @Test(
        "unusable pins are refused",
        arguments: [
            ("http://127.0.0.1:8080", [first], [second]), ("https://a.example", [], [second]),
            ("https://a.example", [first], []), ("https://a.example", [first], [first]),
            ("https://a.example", ["AAAA"], [second]), ("https://a.example", [first], ["not base64"]),
            ("https://a.example", [first], (2...17).map(hash)),
        ])
    func refusals(server: String, current: [String], backup: [String]) async throws {
        await expect(.unusablePins) { _ = try pins(server, current, backup) }
    }

    @Test func `up to 16 pins are accepted`() throws {
        #expect(
            try pins("https://a.example", [Self.first], (2...16).map(Self.hash)).server.description.hasSuffix(
                "a.example"))
    }

    /// Records its requests and trusts no server.
    private struct Recorder: ClosableTransport {
        let name: String
        let sent: Log
        func shutdown() async throws(TransportError) { sent.append("\(name) closed") }
        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            sent.append("\(name) \(request.url)")
            throw .serverNotTrusted("its public key is not one of the pinned keys")
        }
    }

    private final class Log: Sendable {
        private let values = Mutex<[String]>([])
        var all: [String] { values.withLock { $0 } }
        func append(_ value: String) { values.withLock { $0.append(value) } }
    }

    @Test func `only the server's connections are pinned, and a mismatch is typed`() async throws {
        let sent = Log()
        let network = PhotolalaNetwork(
            stallTimeout: .seconds(60), pins: try pins(), now: { ClientFixture.start },
            makeTransport: { Recorder(name: $0 == nil ? "free" : "pinned", sent: sent) })
        for (server, isPinned) in [("https://photos.example", true), ("https://store.example", false)] {
            let connection = ServiceConnection(server: try ServerAddress(server), transport: network.transport)
            await expect(.serverNotTrusted) { _ = try await connection.send(.signOutEverywhere) }
            #expect(sent.all.last == "\(isPinned ? "pinned" : "free") \(server)/auth/signout-everywhere")
        }
        await network.close()
        #expect(sent.all.suffix(2) == ["pinned closed", "free closed"])
    }

    @Test func `without pins there is one transport`() throws {
        let count = Log()
        _ = PhotolalaNetwork(stallTimeout: .seconds(60), pins: nil, now: { ClientFixture.start }) {
            count.append($0 == nil ? "free" : "pinned")
            return Recorder(name: "", sent: count)
        }
        #expect(count.all == ["free"])
    }
}
