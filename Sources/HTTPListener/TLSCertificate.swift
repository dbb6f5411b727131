import Foundation
import NIOSSL
import Synchronization
import Transport

/// The certificate and private key of TLS listeners. A changed file applies to new connections, without a restart.
///
/// TLS 1.2 and 1.3 are accepted (RFC 9325 section 3.1).
package final class TLSCertificate: Sendable {
    /// Why the files cannot be used.
    package enum Problem: Error, Equatable, CustomStringConvertible {
        case unreadable(path: String)
        /// The file has no PEM block of its kind. The key must not be encrypted.
        case malformed(path: String)
        /// The key is not that of the first certificate.
        case keyMismatch
        case expired(Date)

        package var description: String {
            switch self {
            case .unreadable(let path): "cannot read \(path)"
            case .malformed(let path): "\(path) has no certificate or unencrypted private key in PEM form"
            case .keyMismatch: "the private key is not that of the certificate"
            case .expired(let date): "the certificate expired on \(date.ISO8601Format())"
            }
        }
    }

    private struct Loaded {
        let certificate: Data
        let key: Data
        let context: NIOSSLContext
        let validUntil: Date
    }

    private let paths: (certificate: String, key: String)
    private let loaded: Mutex<Loaded>
    private let now: @Sendable () -> Date

    /// Reads the files.
    /// - Parameters:
    ///   - certificate: the path of a file with the certificate and the intermediate ones, in PEM form, its own first.
    ///   - key: the path of a file with the certificate's private key, in PEM form.
    package init(certificate: String, key: String, now: @escaping @Sendable () -> Date) throws(Problem) {
        paths = (certificate, key)
        self.now = now
        let (certificates, keyBytes) = (try Self.read(certificate), try Self.read(key))
        loaded = Mutex(try Self.load(certificates, keyBytes, (certificate, key), at: now()))
    }

    /// When the certificate expires.
    package var validUntil: Date { loaded.withLock { $0.validUntil } }

    /// Reads the files again. If they cannot be used, the certificate in use stays: its file and that of its key are
    /// replaced one after the other.
    /// - Returns: whether they had changed.
    package func reload() throws(Problem) -> Bool {
        let (certificate, key) = (try Self.read(paths.certificate), try Self.read(paths.key))
        guard loaded.withLock({ $0.certificate != certificate || $0.key != key }) else { return false }
        let changed = try Self.load(certificate, key, paths, at: now())
        loaded.withLock { $0 = changed }
        return true
    }

    /// Returns the handler of a new connection.
    func makeHandler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: loaded.withLock { $0.context }) }

    /// The maximum length of a file, in bytes.
    private static let limit = 1 << 20

    private static func read(_ path: String) throws(Problem) -> Data {
        guard let bytes = try? NamedFile.bytes(of: path, as: .regular, limit: limit) else {
            throw .unreadable(path: path)
        }
        guard bytes.count <= limit else { throw .malformed(path: path) }
        return Data(bytes)
    }

    private static func load(
        _ certificate: Data, _ key: Data, _ paths: (certificate: String, key: String), at time: Date
    ) throws(Problem) -> Loaded {
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(Array(certificate)), let leaf = chain.first else {
            throw .malformed(path: paths.certificate)
        }
        guard let privateKey = try? NIOSSLPrivateKey(bytes: Array(key), format: .pem) else {
            throw .malformed(path: paths.key)
        }
        let validUntil = Date(timeIntervalSince1970: TimeInterval(leaf.notValidAfter))
        guard validUntil > time else { throw .expired(validUntil) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        // With forward secrecy and authenticated encryption alone (RFC 9325 section 4.2).
        configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
        configuration.applicationProtocols = ["http/1.1"]
        guard let context = try? NIOSSLContext(configuration: configuration) else { throw .keyMismatch }
        return Loaded(certificate: certificate, key: key, context: context, validUntil: validUntil)
    }
}
