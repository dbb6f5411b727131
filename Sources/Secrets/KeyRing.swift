import Crypto
import Foundation

/// The master keys of a deployment and the operations with keys derived from them, one per purpose: seals (AES-256-GCM)
/// and authentication codes (HMAC-SHA256). Every value names the id of its key, so values of previous keys remain
/// readable after a rotation.
package struct KeyRing: Sendable {
    private let current: String
    private let derived: [String: [SecretPurpose: DerivedKey]]

    /// A key of one purpose.
    private struct DerivedKey: Sendable {
        let key: SymmetricKey
        /// The code of an empty message so far: preparing it costs more than the code of a short message.
        let code: HMAC<SHA256>

        init(_ key: SymmetricKey) {
            self.key = key
            code = HMAC(key: key)
        }
    }

    /// - Parameters:
    ///   - previous: keys that still open and verify, but no longer seal or sign.
    ///   - environment: the environment to which values with `SecretPurpose.isProof` are restricted; part of the
    ///     derivation of their keys. `nil` if no such values are made.
    package init(current: MasterKey, previous: [MasterKey] = [], environment: String? = nil) {
        self.current = current.id
        var derived: [String: [SecretPurpose: DerivedKey]] = [:]
        for master in previous + [current] {
            derived[master.id] = Dictionary(
                uniqueKeysWithValues: SecretPurpose.allCases.map { purpose in
                    let realm = environment.flatMap { purpose.isCredential ? "\($0)/" : nil } ?? ""
                    return (
                        purpose,
                        DerivedKey(
                            HKDF<SHA256>.deriveKey(
                                inputKeyMaterial: master.key,
                                info: Data("photolala/\(realm)\(purpose.rawValue)".utf8), outputByteCount: 32))
                    )
                }
            )
        }
        self.derived = derived
    }

    /// The id of the key used to seal and sign.
    package var currentKeyID: String { current }

    /// The ids of all configured keys, the current one first.
    package var keyIDs: [String] { [current] + derived.keys.filter { $0 != current }.sorted() }

    /// Seals bytes so that they can be opened only for this purpose and context: `{key id}.{base64url}`.
    /// - Parameter context: bound to the seal but not stored in it, for example the account to which the value belongs.
    package func seal(
        _ plaintext: some DataProtocol, for purpose: SecretPurpose, context: String, randomness: Randomness
    ) throws(SecretsError) -> String {
        do {
            let nonce = try AES.GCM.Nonce(data: randomness.bytes(12))
            let box = try AES.GCM.seal(
                plaintext, using: key(current, purpose).key, nonce: nonce, authenticating: Data(context.utf8)
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
    /// - Throws: `unknownKey` if its key is not in the ring, `notAuthentic` for any other failure.
    package func open(
        _ sealed: String, for purpose: SecretPurpose, context: String
    ) throws(SecretsError) -> Data {
        let parts = sealed.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let combined = Base64URL.decode(parts[1]) else { throw .notAuthentic }
        let key = try key(String(parts[0]), purpose).key
        guard let box = try? AES.GCM.SealedBox(combined: combined),
            let opened = try? AES.GCM.open(box, using: key, authenticating: Data(context.utf8))
        else { throw .notAuthentic }
        return opened
    }

    /// Returns the HMAC-SHA256 of a message under the current key or a named one, 32 bytes.
    /// - Throws: `unknownKey`.
    package func authenticationCode(
        of message: Data, for purpose: SecretPurpose, keyID: String? = nil
    ) throws(SecretsError) -> Data {
        Self.code(of: message, try key(keyID ?? current, purpose))
    }

    /// Verifies an authentication code in constant time.
    package func isAuthentic(
        _ code: Data, of message: Data, for purpose: SecretPurpose, keyID: String
    ) -> Bool {
        guard let key = derived[keyID]?[purpose] else { return false }
        return ConstantTime.isEqual(code, Self.code(of: message, key))
    }

    private static func code(of message: Data, _ key: DerivedKey) -> Data {
        var code = key.code
        message.withUnsafeBytes { code.update(data: $0) }
        return code.finalize().withUnsafeBytes { Data($0) }
    }

    /// Returns the name of an account in request lines of the log: 16 hex digits that only this key relates to the id.
    /// - Throws: `unknownKey`.
    package func accountHash(of account: UUID, keyID: String? = nil) throws(SecretsError) -> String {
        let id = withUnsafeBytes(of: account.uuid) { Data($0) }
        return Hex.encode(try authenticationCode(of: id, for: .accountHash, keyID: keyID).prefix(8))
    }

    /// Returns a value that identifies a key by its bytes: 64 hex digits that reveal nothing about the key.
    /// - Throws: `unknownKey`.
    package func checkValue(of keyID: String) throws(SecretsError) -> String {
        Hex.encode(try authenticationCode(of: Data("photolala".utf8), for: .keyCheck, keyID: keyID))
    }

    private func key(_ id: String, _ purpose: SecretPurpose) throws(SecretsError) -> DerivedKey {
        guard let key = derived[id]?[purpose] else { throw .unknownKey(id) }
        return key
    }
}

/// Why a sealed or signed value cannot be used.
package enum SecretsError: Error, Equatable, Sendable {
    /// The value names a master key that is not configured.
    case unknownKey(String)
    /// The value was changed, belongs to another purpose or context, or was not made by this service.
    case notAuthentic
    /// The cipher failed.
    case sealFailed
}
