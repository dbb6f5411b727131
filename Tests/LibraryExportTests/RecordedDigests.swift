import Crypto
import Foundation
import LibraryExport
import NIOCore
import PhotolalaAPI
import Secrets
import Synchronization
import Testing

/// Digests in memory, and signatures with a key of the test.
final class RecordedDigests: DigestStore {
    let user = Mutex<UserID?>(nil)
    let blocks = Mutex<[Int: ByteBuffer]>([:])
    private let signature = Mutex<String?>(nil)
    private let key: P256.Signing.PrivateKey
    private let header: String
    /// Changes a signature, as a forger does.
    private let forge: @Sendable (String) -> String

    init(
        key: P256.Signing.PrivateKey = P256.Signing.PrivateKey(),
        header: String = #"{"alg":"ES256","kid":"a","typ":"photolala-export+jwt"}"#,
        forge: @escaping @Sendable (String) -> String = { $0 }
    ) {
        (self.key, self.header, self.forge) = (key, header, forge)
    }

    /// Returns an empty store with the same key and signature.
    func forgettingDigests() -> RecordedDigests {
        let copy = RecordedDigests(key: key)
        let known = signature.withLock { $0 }
        copy.signature.withLock { $0 = known }
        return copy
    }

    var keys: String {
        let point = key.publicKey.rawRepresentation
        let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
        return #"{"keys":[{"alg":"ES256","crv":"P-256","kid":"a","kty":"EC","use":"sig","x":"\#(x)","y":"\#(y)"}]}"#
    }

    func sign(_ manifest: String, of user: UserID) throws -> String {
        let payload =
            #"{"assembled_by":"server","iat":1780000000,"iss":"https://photos.example","manifest_sha256":"\#(manifest)","#
            + #""sub":"\#(user)"}"#
        let signed = "\(Base64URL.encode(Data(header.utf8))).\(Base64URL.encode(Data(payload.utf8)))"
        return "\(signed).\(Base64URL.encode(try key.signature(for: Data(signed.utf8)).rawRepresentation))"
    }

    func digests(ofBlock block: Int) async throws -> ByteBuffer? { blocks.withLock { $0[block] } }

    func store(_ digests: ByteBuffer, ofBlock block: Int) async throws { blocks.withLock { $0[block] = digests } }

    func signature(of manifest: () async throws -> String) async throws -> String {
        if let known = signature.withLock({ $0 }) { return known }
        let made = forge(try sign(try await manifest(), of: try #require(user.withLock { $0 })))
        signature.withLock { $0 = made }
        return made
    }
}
