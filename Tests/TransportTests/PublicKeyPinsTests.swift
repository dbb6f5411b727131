import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL
import PhotolalaTesting
import Synchronization
import Testing

@testable import Transport

/// Pinning a server's public key, over TLS.
@Suite struct PublicKeyPinsTests {
    private static let otherKey = [UInt8](repeating: 1, count: 32)

    /// Sends a request to a server with the identity.
    /// - Returns: The status, and the number of requests that the server received.
    private func send(
        _ identity: TLSIdentity, trusting: String? = nil, tls: Bool = true, pins: PublicKeyPins?
    ) async throws -> (status: Int, error: TransportError?, received: Int) {
        let received = Mutex(0)
        return try await RawServer.with(tls: tls ? identity.context : nil) { _ in
            received.withLock { $0 += 1 }
            return .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        } _: { url in
            var configuration = HTTPClient.Configuration()
            var trust = TLSConfiguration.makeClientConfiguration()
            trust.trustRoots = .certificates(
                [try NIOSSLCertificate(bytes: Array((trusting ?? identity.pem).utf8), format: .pem)])
            configuration.tlsConfiguration = trust
            let transport = AsyncHTTPTransport(configuration: configuration, pins: pins)
            let result: (Int, TransportError?)
            do throws(TransportError) {
                let response = try await transport.send(TransportRequest(method: .get, url: "\(url)/"))
                result = (response.status, nil)
            } catch {
                result = (0, error)
            }
            try await transport.shutdown()
            return (result.0, result.1, received.withLock { $0 })
        }
    }

    private func pins(_ hashes: [UInt8]..., isExpired: Bool = false) -> PublicKeyPins {
        PublicKeyPins(hashes: hashes) { isExpired }
    }

    @Test func `a server with a pinned key is used`() async throws {
        let identity = try TLSIdentity()
        #expect(try await send(identity, pins: pins(Self.otherKey, identity.hash)).status == 200)
    }

    @Test func `a server with another key gets no request, although its certificate is valid`() async throws {
        let identity = try TLSIdentity()
        let outcome = try await send(identity, pins: pins(Self.otherKey))
        #expect(outcome.error == .serverNotTrusted("its public key is not one of the pinned keys"))
        #expect(outcome.received == 0)
    }

    @Test func `expired pins are not checked`() async throws {
        #expect(try await send(try TLSIdentity(), pins: pins(Self.otherKey, isExpired: true)).status == 200)
    }

    @Test func `a pinned key does not replace a trusted certificate`() async throws {
        let identity = try TLSIdentity()
        let outcome = try await send(identity, trusting: try TLSIdentity().pem, pins: pins(identity.hash))
        #expect(outcome.error == .serverNotTrusted("its certificate is not valid or its issuer is unknown"))
        #expect(outcome.received == 0)
    }

    @Test func `a self-signed certificate is accepted only with the pinned key`() async throws {
        let (identity, other) = (try TLSIdentity(), try TLSIdentity())
        let accepted = try await send(
            identity, trusting: other.pem, pins: PublicKeyPins(selfSigned: identity.hash))
        #expect(accepted.status == 200 && accepted.error == nil)
        let refused = try await send(identity, trusting: other.pem, pins: PublicKeyPins(selfSigned: other.hash))
        #expect(refused.error == .serverNotTrusted("its public key is not one of the pinned keys"))
        #expect(refused.received == 0)
        let plain = try await send(identity, tls: false, pins: PublicKeyPins(selfSigned: identity.hash))
        #expect(plain.error != nil && plain.received == 0)
    }

    @Test func `without TLS no key matches`() async throws {
        let identity = try TLSIdentity()
        let outcome = try await send(identity, tls: false, pins: pins(identity.hash))
        #expect(outcome.error == .serverNotTrusted("its public key is not one of the pinned keys"))
        #expect(outcome.received == 0)
    }

    @Test func `the documented commands print the hash`() async throws {
        let document = try String(
            contentsOf: Repository.root.appending(path: "docs/embedding.md"), encoding: .utf8)
        let commands = document.split(separator: "\n").filter { $0.hasPrefix("openssl ") }
        #expect(commands.count == 2)
        let identity = try TLSIdentity()
        let folder = try TemporaryFolder()
        try Data(identity.pem.utf8).write(to: URL(filePath: "\(folder.path)/server.pem"))
        try identity.key.write(to: URL(filePath: "\(folder.path)/backup.key"))
        for command in commands {
            let run = try await ChildProcess.run(
                URL(filePath: "/bin/sh"), ["-c", String(command)], folder: URL(filePath: folder.path))
            #expect(run.output.trimmingCharacters(in: .newlines) == Data(identity.hash).base64EncodedString())
        }
    }
}
