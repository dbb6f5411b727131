import Foundation
import PhotolalaAPI
import Transport

/// The public keys that a server may have, so that a wrongly issued certificate is not accepted.
///
/// Pinning is off unless an app passes pins to `PhotolalaNetwork`. It is checked in addition to the certificate, for the
/// key of the server's own certificate, on every connection to the server of a session and before a request is sent.
///
/// ```swift
/// let pins = try ServerPins(
///     publicKeyHashes: ["KBpk3pEMLTBoPFtGXNa6M/NfdNDx6r5Ep6nSbBRO1D4="],
///     backupHashes: ["r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="],
///     expiresAt: Date(timeIntervalSince1970: 1_830_297_600))
/// let network = PhotolalaNetwork(pins: pins)
/// ```
public struct ServerPins: Sendable {
    /// When the check ends.
    public let expiresAt: Date
    private let hashes: [[UInt8]]

    private static let hashLength = 32
    private static let maximumCount = 16

    /// Creates pins.
    /// - Parameters:
    ///   - publicKeyHashes: The keys in use: each the Base64 form of the SHA-256 of the key's SubjectPublicKeyInfo
    ///     (RFC 7469 section 2.4).
    ///   - backupHashes: Keys that are not in use, at least one, for the day on which the server's key is lost. At most
    ///     16 hashes in total.
    ///   - expiresAt: The time after which any key is accepted, so that a version of the app that is no longer updated
    ///     continues to work.
    /// - Throws: `unusablePins` with the reason.
    public init(
        publicKeyHashes: [String], backupHashes: [String], expiresAt: Date
    ) throws(PhotolalaError) {
        guard !publicKeyHashes.isEmpty, !backupHashes.isEmpty else {
            throw Self.refusal("At least one key in use and one backup key are required.")
        }
        guard publicKeyHashes.count + backupHashes.count <= Self.maximumCount else {
            throw Self.refusal("At most \(Self.maximumCount) keys can be pinned.")
        }
        let (current, backup) = (try publicKeyHashes.map(Self.hash), try backupHashes.map(Self.hash))
        guard Set(current).isDisjoint(with: backup) else {
            throw Self.refusal("A backup key must not be a key in use: both would be lost together.")
        }
        (self.expiresAt, hashes) = (expiresAt, current + backup)
    }

    func publicKeyPins(now: @escaping @Sendable () -> Date) -> PublicKeyPins {
        PublicKeyPins(hashes: hashes) { [expiresAt] in now() >= expiresAt }
    }

    private static func hash(_ text: String) throws(PhotolalaError) -> [UInt8] {
        guard let bytes = Data(base64Encoded: text), bytes.count == hashLength else {
            throw refusal("“\(text)” is not the Base64 form of a SHA-256.")
        }
        return Array(bytes)
    }

    private static func refusal(_ detail: String) -> PhotolalaError {
        PhotolalaError(code: .unusablePins, detail: detail)
    }
}
