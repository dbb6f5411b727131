import Crypto
import NIOCore
import NIOSSL

/// The public keys that one server may have. A certificate authority cannot replace them.
package struct PublicKeyPins: Sendable {
    /// The reason why a connection is closed before a request is sent.
    struct Mismatch: Error {}

    private let hashes: Set<[UInt8]>
    private let isExpired: @Sendable () -> Bool
    /// Whether the key alone identifies the server.
    let acceptsAnyCertificate: Bool

    /// - Parameters:
    ///   - hashes: The SHA-256 of each key's SubjectPublicKeyInfo (RFC 7469 section 2.4), 32 bytes.
    ///   - isExpired: Called for each connection. Expired pins are not checked, so that an app that is no longer
    ///     updated continues to work.
    package init(hashes: [[UInt8]], isExpired: @escaping @Sendable () -> Bool) {
        self.hashes = Set(hashes)
        self.isExpired = isExpired
        acceptsAnyCertificate = false
    }

    /// Pins the key of one server, whose certificate need not be valid. The pin does not expire.
    /// - Parameter hash: The SHA-256 of the key's SubjectPublicKeyInfo, 32 bytes.
    package init(selfSigned hash: [UInt8]) {
        (hashes, isExpired, acceptsAnyCertificate) = ([hash], { false }, true)
    }

    /// Checks a connection after its handshake and before its first request; closes it if the server's own key is not
    /// pinned.
    @Sendable func check(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            guard !isExpired() else { return }
            // Without TLS there is no handler, and thus no key.
            let handler = try? channel.pipeline.syncOperations.handler(type: NIOSSLHandler.self)
            guard let key = try handler?.peerCertificate?.extractPublicKey().toSPKIBytes(),
                hashes.contains(Array(SHA256.hash(data: key)))
            else {
                channel.close(promise: nil)
                throw Mismatch()
            }
        }
    }
}
