import Crypto
import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets
import Synchronization

/// The signing keys of access tokens as this copy of the service knows them. Using one takes no store request; the
/// shared document is read again by `maintain`, and when a token names a key that is not known here.
package final class SigningKeys: Sendable {
    /// How long readers of the published key set may keep it, in seconds.
    package static let publishedFor = 300
    /// How long a key is published before it signs.
    static let lead: TimeInterval = 900
    /// How old the newest key is when its successor is made.
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

    /// Reads the shared keys, makes the first one in a new store and a successor where one is due. Called at the start
    /// and then twice a minute.
    package func maintain() async throws(SessionError) {
        guard let stored = try await load() else {
            let first = SigningKeyDocument(version: 1, keys: [try makeEntry(activeFrom: now())])
            return try adopt(try await write(first, over: nil))
        }
        try adopt(stored.value)
        guard let next = try due(in: stored.value) else { return }
        try adopt(try await write(next, over: stored))
    }

    /// Writes the document and answers what is there then: another copy may have been faster.
    private func write(
        _ document: SigningKeyDocument, over stored: Stored<SigningKeyDocument>?
    ) async throws(SessionError) -> SigningKeyDocument {
        do {
            guard let stored else { return try await documents.create(Self.key, document).value }
            return try await documents.replace(Self.key, stored, with: document).value
        } catch .preconditionFailed {
            guard let theirs = try await load() else { throw .corrupted(Self.key.description) }
            return theirs.value
        } catch {
            throw .store(error)
        }
    }

    /// The key that signs now: the newest that has been published for long enough. While the clock is behind all of
    /// them, the oldest: everyone has had time to see that one.
    func signingKey() throws(SessionError) -> SigningKey {
        let time = now()
        let keys = snapshot.withLock { $0.keys }
        guard let key = keys.last(where: { $0.activeFrom <= time }) ?? keys.first else {
            throw .corrupted("no signing key")
        }
        return key
    }

    /// When the oldest key began to sign, where that is more than a minute from now: then the clock is behind, here or
    /// where the key was made. No request.
    package func startIfClockIsBehind() -> Date? {
        let start = snapshot.withLock { $0.keys.first?.activeFrom }
        return start.flatMap { $0 > now().addingTimeInterval(Self.clockTolerance) ? $0 : nil }
    }

    private static let clockTolerance: TimeInterval = 60

    /// The public key under an id. An unknown id makes the shared document be read again, but not more than every few
    /// seconds.
    func verificationKey(_ id: String) async throws(SessionError) -> P256.Signing.PublicKey? {
        if let key = known(id) { return key }
        let time = now()
        // Decided in the lock: a flood of unknown ids leads to one read.
        let isDue = snapshot.withLock { snapshot in
            guard snapshot.readAt < time.addingTimeInterval(-Self.unknownKeyInterval) else { return false }
            snapshot.readAt = time
            return true
        }
        guard isDue, let stored = try await load() else { return nil }
        try adopt(stored.value)
        return known(id)
    }

    /// The public keys as a JSON Web Key Set (RFC 7517 section 5).
    package func jsonWebKeySet() -> String {
        let keys = snapshot.withLock { $0.keys }
        return #"{"keys":[\#(keys.map(\.jsonWebKey).joined(separator: ","))]}"#
    }

    private func known(_ id: String) -> P256.Signing.PublicKey? {
        snapshot.withLock { $0.keys.first { $0.id == id }?.publicKey }
    }

    private func load() async throws(SessionError) -> Stored<SigningKeyDocument>? {
        try await SessionError.storing { () throws(ObjectStoreError) in try await documents.load(Self.key) }
    }

    /// The document with a successor added and keys dropped that no living token names; `nil` when nothing is due.
    private func due(in document: SigningKeyDocument) throws(SessionError) -> SigningKeyDocument? {
        let time = now()
        var next = document
        if let newest = document.keys.last, newest.createdAt.addingTimeInterval(Self.rotationInterval) <= time {
            next.keys.append(try makeEntry(activeFrom: time.addingTimeInterval(Self.lead)))
        }
        let outlived = time.addingTimeInterval(-AccessTokens.lifetime - Self.lead)
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

    private func adopt(_ document: SigningKeyDocument) throws(SessionError) {
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
