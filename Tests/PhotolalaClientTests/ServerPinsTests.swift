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
        _ current: [String] = [first], _ backup: [String] = [second]
    ) throws -> ServerPins {
        try ServerPins(
            publicKeyHashes: current, backupHashes: backup,
            expiresAt: ClientFixture.start + 60)
    }

    @Test(
        "unusable pins are refused",
        arguments: [
            ([], [second]),
            ([first], []), ([first], [first]),
            (["AAAA"], [second]), ([first], ["not base64"]),
            ([first], (2...17).map(hash)),
        ])
    func refusals(current: [String], backup: [String]) async throws {
        await expect(.unusablePins) { _ = try pins(current, backup) }
    }

    @Test func `up to 16 pins are accepted`() throws {
        #expect(try pins([Self.first], (2...16).map(Self.hash)).expiresAt == ClientFixture.start + 60)
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

    @Test(
        "calls to a session's server are pinned in every spelling, and the photo store is not",
        arguments: ["https://photos.example", "https://photos.example.", "https://ph%6ftos.example", "http://[::1]:80"])
    func pinned(address: String) async throws {
        let sent = Log()
        let network = PhotolalaNetwork(
            stallTimeout: .seconds(60), pins: try pins(), now: { ClientFixture.start },
            makeTransport: { Recorder(name: $0 == nil ? "free" : "pinned", sent: sent) })
        try await ClientFixture.with { client in
            let profile = try ProfileDirectory(client.folder)
            let session = PhotolalaSession(
                server: try ServerAddress(address), profile: profile, storage: try profile.fileSecretStorage(),
                network: network)
            await expect(.serverNotTrusted) { _ = try await session.challenge(for: .signin) }
        }
        #expect(sent.all == ["pinned \(address)/auth/challenge"])
        _ = try? await network.transport.send(TransportRequest(method: .get, url: "https://store.example/"))
        #expect(sent.all.last == "free https://store.example/")
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
