import Foundation
import JWS
import PhotolalaAPI
import Secrets

/// A refresh token: the ids of its session with an authentication code. It contains no other secret, so any instance
/// can issue the same token again.
struct RefreshToken: Sendable, Equatable {
    /// Whether the token is valid once, or repeatedly for one device key. The two kinds have different lengths under
    /// one code, so that neither can be converted into the other.
    enum Kind: Sendable, Equatable {
        /// Counts the uses of the session from 0.
        case counted(UInt32)
        /// Valid repeatedly, each time with a DPoP proof of its key.
        case bound(KeyThumbprint)
    }

    let user: UserID
    let device: DeviceID
    let session: SessionID
    let kind: Kind

    private static let prefix = "plr"
    private static let idsLength = 48

    /// Encodes the token: `plr.{key id}.{ids and counter or thumbprint}.{code}`.
    func encoded(_ keyRing: KeyRing) throws(SecretsError) -> String {
        let keyID = keyRing.currentKeyID
        let code = try keyRing.authenticationCode(of: bytes, for: .refreshToken, keyID: keyID)
        return "\(Self.prefix).\(keyID).\(Base64URL.encode(bytes)).\(Base64URL.encode(code))"
    }

    /// Decodes and verifies a token; `nil` if it is not authentic.
    static func decode(_ text: String, _ keyRing: KeyRing) -> RefreshToken? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 256, parts.count == 4, parts[0] == prefix, let bytes = Base64URL.decode(parts[2]),
            let kind = kind(bytes.dropFirst(idsLength)), let code = Base64URL.decode(parts[3]),
            keyRing.isAuthentic(code, of: bytes, for: .refreshToken, keyID: String(parts[1]))
        else { return nil }
        func uuid(at offset: Int) -> UUID {
            bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(fromByteOffset: offset, as: uuid_t.self)) }
        }
        return RefreshToken(
            user: UserID(uuid: uuid(at: 0)), device: DeviceID(uuid: uuid(at: 16)),
            session: SessionID(uuid: uuid(at: 32)), kind: kind
        )
    }

    private static func kind(_ suffix: Data) -> Kind? {
        switch suffix.count {
        case 4: .counted(suffix.reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        default: KeyThumbprint(bytes: Data(suffix)).map(Kind.bound)
        }
    }

    private var bytes: Data {
        var bytes = Data()
        for id in [user.uuid, device.uuid, session.uuid] {
            withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) }
        }
        switch kind {
        case .counted(let counter): withUnsafeBytes(of: counter.bigEndian) { bytes.append(contentsOf: $0) }
        case .bound(let key): bytes.append(key.bytes)
        }
        return bytes
    }
}
