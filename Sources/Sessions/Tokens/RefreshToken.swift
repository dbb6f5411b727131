import Foundation
import PhotolalaAPI
import Secrets

/// A refresh token: which use of which session it is, with an authentication code. Nothing else is secret in it, so
/// any copy of the service can give the same one again.
struct RefreshToken: Sendable, Equatable {
    let user: UserID
    let device: DeviceID
    let session: SessionID
    /// Counts the uses of the session from 0.
    let counter: UInt32

    private static let prefix = "plr"

    /// `plr.{key id}.{ids and counter}.{code}`.
    func text(_ keyRing: KeyRing) throws(SecretsError) -> String {
        let keyID = keyRing.currentKeyID
        let code = try keyRing.authenticationCode(of: bytes, for: .refreshToken, keyID: keyID)
        return "\(Self.prefix).\(keyID).\(Base64URL.encode(bytes)).\(Base64URL.encode(code))"
    }

    /// Reads and checks a token; `nil` for one that we did not make.
    static func check(_ text: String, _ keyRing: KeyRing) -> RefreshToken? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 256, parts.count == 4, parts[0] == prefix, let bytes = Base64URL.decode(parts[2]),
            bytes.count == 52, let code = Base64URL.decode(parts[3]),
            keyRing.isAuthentic(code, of: bytes, for: .refreshToken, keyID: String(parts[1]))
        else { return nil }
        func uuid(at offset: Int) -> UUID {
            bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(fromByteOffset: offset, as: uuid_t.self)) }
        }
        return RefreshToken(
            user: UserID(uuid: uuid(at: 0)), device: DeviceID(uuid: uuid(at: 16)),
            session: SessionID(uuid: uuid(at: 32)),
            counter: bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        )
    }

    private var bytes: Data {
        var bytes = Data()
        for id in [user.uuid, device.uuid, session.uuid] {
            withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) }
        }
        withUnsafeBytes(of: counter.bigEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }
}
