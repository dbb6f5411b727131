import Foundation
import Secrets

/// The nonces of DPoP proofs (RFC 9449 section 8): one per minute, an authentication code of that minute's number. All
/// instances issue and accept the same nonces, and none are stored.
struct DPoPNonces: Sendable {
    /// How long a nonce is issued, in seconds. It is accepted in its own window and in the adjacent ones, because the
    /// clocks of instances differ.
    static let windowLength: TimeInterval = 60
    private static let codeLength = 16

    let keyRing: KeyRing
    let now: @Sendable () -> Date

    /// The number of the current window.
    var window: UInt32 { UInt32(clamping: Int(clamping: Int64(now().timeIntervalSince1970 / Self.windowLength))) }

    /// Returns the current nonce: `{key id}.{window and code}`.
    func current() throws(SecretsError) -> String {
        let keyID = keyRing.currentKeyID
        let bytes = Self.bytes(window)
        let code = try keyRing.authenticationCode(of: bytes, for: .dpopNonce, keyID: keyID)
        return "\(keyID).\(Base64URL.encode(bytes + code.prefix(Self.codeLength)))"
    }

    /// Returns the window of an authentic nonce that is still accepted; `nil` for any other text.
    func window(of nonce: String) -> UInt32? {
        let parts = nonce.split(separator: ".", omittingEmptySubsequences: false)
        guard nonce.utf8.count <= 64, parts.count == 2, let bytes = Base64URL.decode(parts[1]),
            bytes.count == 4 + Self.codeLength,
            let expected = try? keyRing.authenticationCode(
                of: bytes.prefix(4), for: .dpopNonce, keyID: String(parts[0])
            ),
            ConstantTime.isEqual(expected.prefix(Self.codeLength), bytes.suffix(Self.codeLength))
        else { return nil }
        let window = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return isValid(window) ? window : nil
    }

    /// Returns whether a window is the current one or adjacent to it.
    func isValid(_ window: UInt32) -> Bool {
        let current = self.window
        return max(window, current) - min(window, current) <= 1
    }

    /// Returns when no instance accepts the window's nonce any more, including those whose clocks are one window
    /// behind.
    static func end(of window: UInt32) -> Date {
        Date(timeIntervalSince1970: (TimeInterval(window) + 3) * windowLength)
    }

    private static func bytes(_ window: UInt32) -> Data { withUnsafeBytes(of: window.bigEndian) { Data($0) } }
}
