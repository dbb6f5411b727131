import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import PhotolalaTesting
import ServiceLifecycle
import Testing

@testable import HTTPListener

/// Listeners with TLS.
@Suite struct TLSCertificateTests {
    private static let now = Date()

    private func load(_ files: TestTLSFiles) throws(TLSCertificate.Problem) -> TLSCertificate {
        try TLSCertificate(certificate: files.certificate.path, key: files.key.path) { Self.now }
    }

    @Test("files that cannot be used are refused with the reason")
    func problems() throws {
        let folder = try TemporaryFolder()
        let files = TestTLSFiles(in: URL(filePath: folder.path), now: Self.now)
        #expect(throws: TLSCertificate.Problem.unreadable(path: files.certificate.path)) { try load(files) }
        try files.write()
        try files.write(parts: ["key"])
        #expect(throws: TLSCertificate.Problem.keyMismatch) { try load(files) }
        try files.write()
        try Data("x".utf8).write(to: files.key)
        #expect(throws: TLSCertificate.Problem.malformed(path: files.key.path)) { try load(files) }
        try files.write()
        try Data("x".utf8).write(to: files.certificate)
        #expect(throws: TLSCertificate.Problem.malformed(path: files.certificate.path)) { try load(files) }
        let end = Date(timeIntervalSince1970: 1_700_000_000)
        try files.write(from: end - 60, until: end)
        #expect(throws: TLSCertificate.Problem.expired(end)) { try load(files) }
    }

    @Test("a changed certificate is used by new connections, and one that cannot be used is not")
    func reload() async throws {
        let folder = try TemporaryFolder()
        let files = TestTLSFiles(in: URL(filePath: folder.path), now: Self.now)
        let first = try files.write()
        let certificate = try load(files)
        #expect(try !certificate.reload())
        try await withServer(certificate) { port in
            #expect(try await request(port, trusting: first).contains("200 OK"))
            // Renewal replaces one file after the other.
            let second = try files.write(until: Self.now + 2 * 86_400, parts: ["certificate"])
            #expect(throws: TLSCertificate.Problem.keyMismatch) { try certificate.reload() }
            #expect(try await request(port, trusting: first).contains("200 OK"))
            await #expect(throws: (any Error).self) { try await request(port, trusting: second) }
            let third = try files.write(until: Self.now + 3 * 86_400)
            #expect(try certificate.reload())
            #expect(try !certificate.reload())
            #expect(abs(certificate.validUntil.timeIntervalSince(Self.now + 3 * 86_400)) <= 1)
            #expect(try await request(port, trusting: third).contains("200 OK"))
            await #expect(throws: (any Error).self) { try await request(port, trusting: first) }
        }
    }

    @Test("TLS 1.1 and requests without TLS are refused")
    func oldVersions() async throws {
        let folder = try TemporaryFolder()
        let files = TestTLSFiles(in: URL(filePath: folder.path), now: Self.now)
        let root = try files.write()
        let certificate = try load(files)
        try await withServer(certificate) { port in
            await #expect(throws: (any Error).self) {
                try await request(port, trusting: root) { $0.maximumTLSVersion = .tlsv11 }
            }
            let response = try await request(port, trusting: root) { $0.maximumTLSVersion = .tlsv12 }
            #expect(response.contains("200 OK"))
            let plain = try await plainRequest(port)
            #expect(!plain.contains("200 OK"))
        }
    }

    private func withServer(_ certificate: TLSCertificate, _ body: @Sendable (Int) async throws -> Void) async throws {
        let limits = ConnectionLimits(
            headerBytes: 16 << 10, headerFields: 100, idleTime: .seconds(60),
            minimumBodyRate: .entireBody(within: .seconds(30)))
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = Application(
            responder: CallbackResponder { (_: Request, _: BasicRequestContext) in Response(status: .ok) },
            server: .limited(limits, tls: certificate), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { found.yield($0.localAddress?.port ?? 0) }, logger: logger)
        let group = ServiceGroup(configuration: .init(services: [server], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var all = ports.makeAsyncIterator()
            try await body(try #require(await all.next()))
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private func request(
        _ port: Int, trusting root: String, _ change: (inout TLSConfiguration) -> Void = { _ in }
    ) async throws -> String {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(root.utf8)))
        change(&configuration)
        let context = try NIOSSLContext(configuration: configuration)
        return try await send(port) { try NIOSSLClientHandler(context: context, serverHostname: nil) }
    }

    private func plainRequest(_ port: Int) async throws -> String { try await send(port) { nil } }

    /// Sends a request and returns the response as text, up to the end of the connection.
    private func send(_ port: Int, _ tls: @escaping @Sendable () throws -> NIOSSLClientHandler?) async throws -> String
    {
        let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(
            host: "127.0.0.1", port: port
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                if let handler = try tls() { try channel.pipeline.syncOperations.addHandler(handler) }
                return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        return try await connection.executeThenClose { input, output in
            try await output.write(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"))
            var text = ""
            for try await bytes in input { text += String(buffer: bytes) }
            return text
        }
    }
}
