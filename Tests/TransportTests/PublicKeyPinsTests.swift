import AsyncHTTPClient
import Crypto
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

    /// A certificate that the client trusts, and the hash of its key.
    private struct Identity {
        let pem: String
        let context: NIOSSLContext
        let hash: [UInt8]

        init() throws {
            let folder = try TemporaryFolder()
            let files = TestTLSFiles(in: URL(filePath: folder.path), now: Date())
            pem = try files.write()
            let certificate = try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem)
            let key = try NIOSSLPrivateKey(file: files.key.path, format: .pem)
            context = try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: [.certificate(certificate)], privateKey: .privateKey(key)))
            hash = Array(SHA256.hash(data: try certificate.extractPublicKey().toSPKIBytes()))
        }
    }

    /// Sends a request to a server with the identity.
    /// - Returns: The status, and the number of requests that the server received.
    private func send(
        _ identity: Identity, trusting: String? = nil, tls: Bool = true, pins: PublicKeyPins?
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
        let identity = try Identity()
        #expect(try await send(identity, pins: pins(Self.otherKey, identity.hash)).status == 200)
    }

    @Test func `a server with another key gets no request, although its certificate is valid`() async throws {
        let identity = try Identity()
        let outcome = try await send(identity, pins: pins(Self.otherKey))
        #expect(outcome.error == .serverNotTrusted("its public key is not one of the pinned keys"))
        #expect(outcome.received == 0)
    }

    @Test func `expired pins are not checked`() async throws {
        #expect(try await send(try Identity(), pins: pins(Self.otherKey, isExpired: true)).status == 200)
    }

    @Test func `a pinned key does not replace a trusted certificate`() async throws {
        let identity = try Identity()
        let outcome = try await send(identity, trusting: try Identity().pem, pins: pins(identity.hash))
        #expect(outcome.error == .serverNotTrusted("its certificate is not valid or its issuer is unknown"))
        #expect(outcome.received == 0)
    }

    @Test func `without TLS no key matches`() async throws {
        let identity = try Identity()
        let outcome = try await send(identity, tls: false, pins: pins(identity.hash))
        #expect(outcome.error == .serverNotTrusted("its public key is not one of the pinned keys"))
        #expect(outcome.received == 0)
    }

    @Test func `the documented command prints the hash`() async throws {
        let document = try String(
            contentsOf: Repository.root.appending(path: "docs/embedding.md"), encoding: .utf8)
        let command = try #require(document.split(separator: "\n").first { $0.hasPrefix("openssl x509") })
        let identity = try Identity()
        let folder = try TemporaryFolder()
        try Data(identity.pem.utf8).write(to: URL(filePath: "\(folder.path)/server.pem"))
        let run = try await ChildProcess.run(
            URL(filePath: "/bin/sh"), ["-c", String(command)], folder: URL(filePath: folder.path))
        #expect(run.output.trimmingCharacters(in: .newlines) == Data(identity.hash).base64EncodedString())
    }

    @Test(
        "only requests to the pinned server use its transport",
        arguments: [
            ("https://photos.example/auth/signin", true), ("https://PHOTOS.example:443/x", true),
            ("https://photos.example?q", true), ("https://photos.example:8443/", false),
            ("http://photos.example/", false), ("https://photos.example.org/", false),
            ("https://other.example/https://photos.example/", false),
        ])
    func choice(url: String, isPinned: Bool) async throws {
        struct Named: ClosableTransport {
            let status: Int
            func shutdown() async throws(TransportError) {}
            func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
                TransportResponse(status: status, headers: [:], body: CollectedBody(bytes: ByteBuffer()))
            }
        }
        let transport = PinnedServerTransport(
            server: "https://photos.example/base", pinned: Named(status: 1), others: Named(status: 2))
        #expect(try await transport.send(TransportRequest(method: .get, url: url)).status == (isPinned ? 1 : 2))
    }
}
