import Crypto
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets
import Synchronization

/// `service/erasure-key.json`: the key that signs deletion receipts.
struct ErasureKeyDocument: VersionedDocument {
    var version: Int
    /// The JWS header's `kid`.
    let id: String
    /// The P-256 private key's 32 bytes, sealed.
    var sealedPrivateKey: String
    let createdAt: Date
}

/// The key that signs deletion receipts and exports (ES256, RFC 7518 section 3.4), and the keys derived from it for the erasure
/// ledger. It stays the same for the life of a store, whatever the master key: receipts stay verifiable, and deleted
/// accounts stay known. It is not among the keys of access tokens: a receipt must not pass for one.
package final class ErasureKey: Sendable {
    /// The `typ` of a receipt's header.
    package static let receiptType = "photolala-deletion-receipt+jwt"
    /// The `typ` of an export's signature.
    package static let exportType = "photolala-export+jwt"

    fileprivate struct Opened {
        let id: String
        let key: P256.Signing.PrivateKey

        /// Returns a key derived for one use.
        func derived(for use: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key.rawRepresentation), info: Data("photolala/\(use)".utf8),
                outputByteCount: 32)
        }
    }

    private let opened = Mutex<Opened?>(nil)
    private let documents: Documents<ErasureKeyDocument>
    private let keyRing: KeyRing
    private let now: @Sendable () -> Date
    private let randomness: Randomness

    package init(
        store: any ObjectStore, retry: RetryPolicy, keyRing: KeyRing, now: @escaping @Sendable () -> Date,
        randomness: Randomness
    ) {
        documents = Documents(store: store, retry: retry)
        self.keyRing = keyRing
        self.now = now
        self.randomness = randomness
    }

    /// Opens the stored key, if there is one, and seals it under the current master key. Called at each start: an earlier
    /// master key can then be retired.
    /// - Throws: `secrets` if no configured master key opens it.
    package func openIfStored() async throws(AccountError) {
        if try await isStored() { _ = try await current() }
    }

    private func isStored() async throws(AccountError) -> Bool {
        try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.load(Self.key) != nil
        }
    }

    /// Opens the key, which is created if there is none.
    package func open() async throws(AccountError) { _ = try await current() }

    /// Signs a payload.
    /// - Returns: a compact JWS (RFC 7515 section 7.1).
    package func sign(_ payload: Data, type: String = receiptType) async throws(AccountError) -> String {
        let current = try await current()
        let signed = "\(Self.header(current, type)).\(Base64URL.encode(payload))"
        guard let signature = try? current.key.signature(for: Data(signed.utf8)) else {
            throw .corrupted("signature")
        }
        return "\(signed).\(Base64URL.encode(signature.rawRepresentation))"
    }

    private static func header(_ opened: Opened, _ type: String) -> String {
        Base64URL.encode(Data(#"{"alg":"ES256","kid":"\#(opened.id)","typ":"\#(type)"}"#.utf8))
    }

    /// Verifies a text that `sign` returned. Creates no key.
    /// - Returns: the payload; `nil` if the key of this store did not sign it.
    package func verify(_ token: String, type: String = receiptType) async throws(AccountError) -> Data? {
        if opened.withLock({ $0 }) == nil, try await !isStored() { return nil }
        let current = try await current()
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.header(current, type), let payload = Base64URL.decode(parts[1]),
            let bytes = Base64URL.decode(parts[2]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
            current.key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
        else { return nil }
        return payload
    }

    /// Returns the public key as a JSON Web Key Set (RFC 7517 section 5), an empty one if there is no key yet. A read until
    /// there is one.
    package func jsonWebKeySet() async throws(AccountError) -> String {
        if opened.withLock({ $0 }) == nil, try await !isStored() { return #"{"keys":[]}"# }
        let current = try await current()
        let point = current.key.publicKey.rawRepresentation
        let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
        return
            #"{"keys":[{"alg":"ES256","crv":"P-256","kid":"\#(current.id)","kty":"EC","use":"sig","x":"\#(x)","y":"\#(y)"}]}"#
    }

    /// Returns the naming of deleted accounts in the ledger.
    func ledgerNames() async throws(AccountError) -> LedgerNames { LedgerNames(try await current()) }

    /// Returns the naming of deleted accounts; `nil` if the store has no key, and so no deleted accounts. Creates nothing.
    func storedLedgerNames() async throws(AccountError) -> LedgerNames? {
        guard opened.withLock({ $0 }) == nil else { return try await ledgerNames() }
        return try await isStored() ? try await ledgerNames() : nil
    }

    /// Names deleted accounts: 64 hex digits that only this key can compute.
    struct LedgerNames: Sendable {
        private let key: SymmetricKey

        fileprivate init(_ opened: Opened) { key = opened.derived(for: "erasure-ledger") }

        func name(of user: UserID) -> String { Hex.encode(code(of: user)) }

        /// Returns the first 64 bits of a name.
        func number(of user: UserID) -> UInt64 { code(of: user).prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

        private func code(of user: UserID) -> HMAC<SHA256>.MAC {
            HMAC<SHA256>.authenticationCode(for: Data(user.description.utf8), using: key)
        }
    }

    /// Seals a receipt for its account (AES-256-GCM).
    func seal(_ receipt: String, of user: UserID) async throws(AccountError) -> String {
        let key = try await current().derived(for: "erasure-receipt")
        guard let nonce = try? AES.GCM.Nonce(data: randomness.bytes(12)),
            let box = try? AES.GCM.seal(
                Data(receipt.utf8), using: key, nonce: nonce, authenticating: Data(user.description.utf8)),
            let combined = box.combined
        else { throw .secrets(.sealFailed) }
        return Base64URL.encode(combined)
    }

    /// Opens a sealed receipt.
    func open(_ sealed: String, of user: UserID) async throws(AccountError) -> String {
        let key = try await current().derived(for: "erasure-receipt")
        guard let combined = Base64URL.decode(sealed), let box = try? AES.GCM.SealedBox(combined: combined),
            let bytes = try? AES.GCM.open(box, using: key, authenticating: Data(user.description.utf8))
        else { throw .secrets(.notAuthentic) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the code that authenticates a copy of the ledger (HMAC-SHA256).
    /// - Parameters:
    ///   - digest: the SHA-256 of the copy.
    ///   - bytes: the stored erasure key.
    package static func code(
        of digest: Data, by bytes: ByteBuffer, _ keyRing: KeyRing
    ) throws(AccountError) -> Data {
        guard let document = Documents<ErasureKeyDocument>.decode(bytes) else { throw .corrupted(key.description) }
        let copyKey = try open(document, keyRing).derived(for: "erasure-ledger-copy")
        return Data(HMAC<SHA256>.authenticationCode(for: digest, using: copyKey))
    }

    private func current() async throws(AccountError) -> Opened {
        if let known = opened.withLock({ $0 }) { return known }
        let found = try Self.open(try await storedOrCreated(), keyRing)
        opened.withLock { $0 = found }
        return found
    }

    private static func open(_ document: ErasureKeyDocument, _ keyRing: KeyRing) throws(AccountError) -> Opened {
        let bytes: Data
        do {
            bytes = try keyRing.open(document.sealedPrivateKey, for: .erasureKey, context: document.id)
        } catch {
            throw .secrets(error)
        }
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else {
            throw .corrupted(Self.key.description)
        }
        return Opened(id: document.id, key: key)
    }

    private func storedOrCreated() async throws(AccountError) -> ErasureKeyDocument {
        do {
            if let known = try await documents.load(Self.key) { return try await resealed(known) }
            let id = Base64URL.encode(randomness.bytes(9))
            let sealed = try keyRing.seal(
                P256.Signing.PrivateKey().rawRepresentation, for: .erasureKey, context: id, randomness: randomness)
            let document = ErasureKeyDocument(version: 1, id: id, sealedPrivateKey: sealed, createdAt: now())
            do throws(ObjectStoreError) {
                return try await documents.create(Self.key, document).value
            } catch .preconditionFailed {
                guard let known = try await documents.load(Self.key) else { throw AccountError.contended }
                return known.value
            }
        } catch let error as AccountError {
            throw error
        } catch let error as ObjectStoreError {
            throw .store(error)
        } catch let error as SecretsError {
            throw .secrets(error)
        } catch {
            throw .contended
        }
    }

    /// Seals the key under the current master key, so that an earlier one can be retired.
    private func resealed(_ stored: Stored<ErasureKeyDocument>) async throws -> ErasureKeyDocument {
        guard !stored.value.sealedPrivateKey.hasPrefix("\(keyRing.currentKeyID).") else { return stored.value }
        var next = stored.value
        let bytes = try keyRing.open(next.sealedPrivateKey, for: .erasureKey, context: next.id)
        next.sealedPrivateKey = try keyRing.seal(bytes, for: .erasureKey, context: next.id, randomness: randomness)
        do throws(ObjectStoreError) {
            return try await documents.replace(Self.key, stored, with: next).value
        } catch .preconditionFailed {
            return stored.value
        }
    }

    private static let key = ObjectKey(known: StorageLayout.erasureKey)
}
