import Crypto
import Foundation

/// The master keys of a deployment and what is derived from them: seals (AES-256-GCM) and authentication codes
/// (HMAC-SHA256), one derived key per purpose. Every value names the id of its key, so a new current key leaves the
/// values of the previous ones readable.
package struct KeyRing: Sendable {
    private let current: String
    private let derived: [String: [SecretPurpose: SymmetricKey]]

    /// - Parameters:
    ///   - previous: keys that still open and check, and no longer seal or sign.
    ///   - environment: where proofs are good (those of `SecretPurpose.isProof`);
    ///     part of what their keys are derived from. `nil` where none are made.
    package init(current: MasterKey, previous: [MasterKey] = [], environment: String? = nil) {
        self.current = current.id
        var derived: [String: [SecretPurpose: SymmetricKey]] = [:]
        for master in previous + [current] {
            derived[master.id] = Dictionary(
                uniqueKeysWithValues: SecretPurpose.allCases.map { purpose in
                    let realm = environment.flatMap { purpose.isProof ? "\($0)/" : nil } ?? ""
                    return (
                        purpose,
                        HKDF<SHA256>.deriveKey(
                            inputKeyMaterial: master.key, info: Data("photolala/\(realm)\(purpose.rawValue)".utf8),
                            outputByteCount: 32
                        )
                    )
                }
            )
        }
        self.derived = derived
    }

    /// The id of the key that seals and signs.
    package var currentKeyID: String { current }

    /// The ids of all configured keys, the current one first.
    package var keyIDs: [String] { [current] + derived.keys.filter { $0 != current }.sorted() }

    /// Seals bytes so that only this purpose and context open them again: `{key id}.{base64url}`.
    /// - Parameter context: bound to the seal and not stored in it, for example the account the value belongs to.
    package func seal(
        _ plaintext: some DataProtocol, for purpose: SecretPurpose, context: String, randomness: Randomness
    ) throws(SecretsError) -> String {
        do {
            let nonce = try AES.GCM.Nonce(data: randomness.bytes(12))
            let box = try AES.GCM.seal(
                plaintext, using: key(current, purpose), nonce: nonce, authenticating: Data(context.utf8)
            )
            guard let combined = box.combined else { throw SecretsError.sealFailed }
            return "\(current).\(Base64URL.encode(combined))"
        } catch let error as SecretsError {
            throw error
        } catch {
            throw .sealFailed
        }
    }

    /// Opens a seal.
    /// - Throws: `unknownKey` when its key is not in the ring, `notAuthentic` for anything else that does not open.
    package func open(
        _ sealed: String, for purpose: SecretPurpose, context: String
    ) throws(SecretsError) -> Data {
        let parts = sealed.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let combined = Base64URL.decode(parts[1]) else { throw .notAuthentic }
        let key = try key(String(parts[0]), purpose)
        guard let box = try? AES.GCM.SealedBox(combined: combined),
            let opened = try? AES.GCM.open(box, using: key, authenticating: Data(context.utf8))
        else { throw .notAuthentic }
        return opened
    }

    /// The HMAC-SHA256 of a message under the current key, or under a named one. 32 bytes.
    /// - Throws: `unknownKey`.
    package func authenticationCode(
        of message: some DataProtocol, for purpose: SecretPurpose, keyID: String? = nil
    ) throws(SecretsError) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: message, using: try key(keyID ?? current, purpose)))
    }

    /// Compares in constant time.
    package func isAuthentic(
        _ code: Data, of message: some DataProtocol, for purpose: SecretPurpose, keyID: String
    ) -> Bool {
        guard let key = derived[keyID]?[purpose] else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key)
    }

    /// A value that only this very key gives, by which it is known again: 64 hex digits that tell nothing about it.
    /// - Throws: `unknownKey`.
    package func checkValue(of keyID: String) throws(SecretsError) -> String {
        Hex.encode(try authenticationCode(of: Data("photolala".utf8), for: .keyCheck, keyID: keyID))
    }

    private func key(_ id: String, _ purpose: SecretPurpose) throws(SecretsError) -> SymmetricKey {
        guard let key = derived[id]?[purpose] else { throw .unknownKey(id) }
        return key
    }
}

/// Why a sealed or signed value is not usable.
package enum SecretsError: Error, Equatable, Sendable {
    /// The value names a master key that is not configured.
    case unknownKey(String)
    /// The value was changed, belongs to another purpose or context, or was never ours.
    case notAuthentic
    /// The cipher refused to work.
    case sealFailed
}
