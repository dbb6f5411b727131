import Crypto
import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets
import Synchronization

/// An instance's cache of the signing keys for access tokens. Using a key sends no request; `maintain` reads the shared
/// document again, and so does a token with an unknown key id.
package final class SigningKeys: Sendable {
    /// How long readers may cache the published key set, in seconds.
    package static let keySetMaxAge = 300
    /// How long a key is published before it signs, in seconds.
    static let publicationLead: TimeInterval = 900
    /// The age of the newest key at which its successor is created, in seconds.
    static let rotationInterval: TimeInterval = 30 * 86_400
    static let unknownKeyInterval: TimeInterval = 5

    private struct Snapshot {
        var keys: [SigningKey] = []
        var readAt = Date.distantPast
    }

    private let snapshot = Mutex(Snapshot())
    private let documents: Documents<SigningKeyDocument>
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

    /// Reads the shared keys; creates the first key in a new store, and a successor if one is due. Called at startup
    /// and then twice a minute.
    package func maintain() async throws(SessionError) {
        guard let stored = try await load() else {
            let first = SigningKeyDocument(version: 1, keys: [try makeEntry(activeFrom: now())])
            return try updateSnapshot(try await write(first, over: nil))
        }
        try updateSnapshot(stored.value)
        guard let next = try rotated(in: stored.value) else { return }
        try updateSnapshot(try await write(next, over: stored))
    }

    /// Reads the shared keys, and creates none. One read.
    package func read() async throws(SessionError) {
        if let stored = try await load() { try updateSnapshot(stored.value) }
    }

    /// Writes the document and returns the stored one; another instance may have written first.
    private func write(
        _ document: SigningKeyDocument, over stored: Stored<SigningKeyDocument>?
    ) async throws(SessionError) -> SigningKeyDocument {
        do {
            guard let stored else { return try await documents.create(Self.key, document).value }
            return try await documents.replace(Self.key, stored, with: document).value
        } catch .preconditionFailed {
            guard let existing = try await load() else { throw .corrupted(Self.key.description) }
            return existing.value
        } catch {
            throw .store(error)
        }
    }

    /// Returns the current signing key: the newest that has been published for long enough. If the clock is behind all
    /// of them, returns the oldest, which every reader knows.
    func signingKey() throws(SessionError) -> SigningKey {
        let time = now()
        let keys = snapshot.withLock { $0.keys }
        guard let key = keys.last(where: { $0.activeFrom <= time }) ?? keys.first else {
            throw .corrupted("no signing key")
        }
        return key
    }

    /// Returns when the oldest key started to sign, if that is more than a minute in the future. The clock is then
    /// behind, or the clock of the instance that created the key was ahead. No request.
    package func startIfClockIsBehind() -> Date? {
        let start = snapshot.withLock { $0.keys.first?.activeFrom }
        return start.flatMap { $0 > now().addingTimeInterval(Self.clockTolerance) ? $0 : nil }
    }

    private static let clockTolerance: TimeInterval = 60

    /// Returns the public key with an id. An unknown id causes a read of the shared document, at most once every 5
    /// seconds.
    func verificationKey(_ id: String) async throws(SessionError) -> P256.Signing.PublicKey? {
        if let key = cachedPublicKey(id) { return key }
        let time = now()
        // Decided under the lock, so that many unknown ids cause one read.
        let isDue = snapshot.withLock { snapshot in
            guard snapshot.readAt < time.addingTimeInterval(-Self.unknownKeyInterval) else { return false }
            snapshot.readAt = time
            return true
        }
        guard isDue, let stored = try await load() else { return nil }
        try updateSnapshot(stored.value)
        return cachedPublicKey(id)
    }

    /// Returns the public keys as a JSON Web Key Set (RFC 7517 section 5).
    package func jsonWebKeySet() -> String {
        let keys = snapshot.withLock { $0.keys }
        return #"{"keys":[\#(keys.map(\.jsonWebKey).joined(separator: ","))]}"#
    }

    private func cachedPublicKey(_ id: String) -> P256.Signing.PublicKey? {
        snapshot.withLock { $0.keys.first { $0.id == id }?.publicKey }
    }

    private func load() async throws(SessionError) -> Stored<SigningKeyDocument>? {
        try await SessionError.mapStoreErrors { () throws(ObjectStoreError) in try await documents.load(Self.key) }
    }

    /// Returns the document with a successor added if due, and without keys whose tokens have all expired; `nil` if
    /// nothing changes.
    private func rotated(in document: SigningKeyDocument) throws(SessionError) -> SigningKeyDocument? {
        let time = now()
        var next = document
        if let newest = document.keys.last, newest.createdAt.addingTimeInterval(Self.rotationInterval) <= time {
            next.keys.append(try makeEntry(activeFrom: time.addingTimeInterval(Self.publicationLead)))
        }
        let outlived = time.addingTimeInterval(-AccessTokens.lifetime - Self.publicationLead)
        while next.keys.count > 1, next.keys[1].activeFrom <= outlived { next.keys.removeFirst() }
        return next == document ? nil : next
    }

    private func makeEntry(activeFrom: Date) throws(SessionError) -> SigningKeyDocument.Entry {
        let id = Base64URL.encode(randomness.bytes(9))
        do {
            let key = P256.Signing.PrivateKey()
            let sealed = try keyRing.seal(
                key.rawRepresentation, for: .accessTokenKeys, context: id, randomness: randomness
            )
            return .init(id: id, sealedPrivateKey: sealed, createdAt: now(), activeFrom: activeFrom)
        } catch {
            throw .secrets(error)
        }
    }

    private func updateSnapshot(_ document: SigningKeyDocument) throws(SessionError) {
        let known = snapshot.withLock { $0.keys }
        var keys: [SigningKey] = []
        for entry in document.keys {
            if let key = known.first(where: { $0.id == entry.id }) {
                keys.append(key)
                continue
            }
            do {
                let bytes = try keyRing.open(entry.sealedPrivateKey, for: .accessTokenKeys, context: entry.id)
                guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else {
                    throw SecretsError.notAuthentic
                }
                keys.append(SigningKey(entry, privateKey: key))
            } catch {
                throw .secrets(error as? SecretsError ?? .notAuthentic)
            }
        }
        let time = now()
        snapshot.withLock { $0 = Snapshot(keys: keys, readAt: time) }
    }

    private static let key = ObjectKey(known: StorageLayout.signingKeys)
}
