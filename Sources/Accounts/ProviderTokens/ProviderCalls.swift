import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Background calls to providers, stored until they are made, so that neither a slow provider nor a stopped server
/// loses one.
///
/// The instance that stores a call makes it at once and holds it for one minute; afterwards any instance may make it,
/// one at a time. An exchange may be sent twice if its instance stops during the call: a code is valid once, and the
/// provider rejects the second request.
package struct ProviderCalls: Sendable {
    /// Calls that this instance has just stored, up to a limit; the others wait until they are due.
    package let newCalls: AsyncStream<Stored<ProviderCall>>

    private let continuation: AsyncStream<Stored<ProviderCall>>.Continuation
    private let documents: Documents<ProviderCall>
    private let keyRing: KeyRing
    private let now: @Sendable () -> Date
    private let randomness: Randomness

    /// - Parameter bufferLimit: the largest number of new calls waiting in memory.
    package init(
        store: any ObjectStore, retry: RetryPolicy, keyRing: KeyRing, bufferLimit: Int = 1000,
        now: @escaping @Sendable () -> Date, randomness: Randomness
    ) {
        documents = Documents(store: store, retry: retry)
        self.keyRing = keyRing
        self.now = now
        self.randomness = randomness
        (newCalls, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(bufferLimit))
    }

    /// Queues the exchange of a code. One write.
    package func enqueueExchange(
        _ code: String, of clientID: String, at provider: ProviderName, for link: LinkID, _ user: UserID
    ) async throws(AccountError) {
        let id = randomness.uuid()
        let sealed: String
        do {
            sealed = try keyRing.seal(
                Data(code.utf8), for: .providerTokens, context: Self.context(id), randomness: randomness
            )
        } catch {
            throw .secrets(error)
        }
        continuation.yield(try await store(id, .exchange, provider, link, user, clientID: clientID, sealedCode: sealed))
    }

    /// Queues the revocation of a link's tokens. Written before the link is removed: a call that finds the link still
    /// in use after ten minutes does nothing. One write.
    package func enqueueRevocation(
        at provider: ProviderName, link: LinkID, _ user: UserID
    ) async throws(AccountError) -> Stored<ProviderCall> {
        try await store(randomness.uuid(), .revoke, provider, link, user, clientID: nil, sealedCode: nil)
    }

    /// Makes a stored call at once.
    package func makeDue(_ call: Stored<ProviderCall>) { continuation.yield(call) }

    /// Returns the code of an exchange.
    package func code(of call: ProviderCall) -> String? {
        guard let sealed = call.sealedCode,
            let bytes = try? keyRing.open(sealed, for: .providerTokens, context: Self.context(call.id))
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the keys of the stored calls, at most 1,000.
    package func pendingKeys() async throws(AccountError) -> [ObjectKey] {
        try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.store.list(prefix: StorageLayout.providerCalls, after: nil, limit: 1000).objects
                .map(\.key)
        }
    }

    /// Returns the keys of all stored calls of a user. One listing per thousand calls, and one read each; unreadable calls
    /// are skipped, because they name no user.
    package func keys(of user: UserID) async throws(AccountError) -> [ObjectKey] {
        var (keys, after) = ([ObjectKey](), String?.none)
        repeat {
            let start = after
            let page = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
                try await documents.store.list(prefix: StorageLayout.providerCalls, after: start, limit: 1000)
            }
            for object in page.objects {
                do throws(AccountError) {
                    if try await load(object.key)?.value.user == user { keys.append(object.key) }
                } catch .corrupted, .store(.corrupted) {
                    continue
                }
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
        return keys
    }

    private func load(_ key: ObjectKey) async throws(AccountError) -> Stored<ProviderCall>? {
        try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in try await documents.load(key) }
    }

    /// Acquires a call that is due; other instances skip it until its next time. One read and one write.
    /// - Returns: `nil` if it is gone, acquired by another instance, or not due.
    package func acquire(_ key: ObjectKey) async throws(AccountError) -> Stored<ProviderCall>? {
        guard let found = try await load(key), found.value.nextTryAt <= now() else { return nil }
        var next = found.value
        next.tries += 1
        next.nextTryAt = now().addingTimeInterval(ProviderCall.retryDelay(after: next.tries))
        do {
            return try await documents.replace(key, found, with: next)
        } catch .preconditionFailed {
            return nil
        } catch {
            throw .store(error)
        }
    }

    /// Removes a call that was made or is not needed.
    package func finish(_ call: Stored<ProviderCall>) async throws(AccountError) {
        _ = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.writes.delete(Self.key(call.value.id), if: .matches(call.etag))
        }
    }

    private func store(
        _ id: UUID, _ operation: ProviderCall.Operation, _ provider: ProviderName, _ link: LinkID, _ user: UserID,
        clientID: String?, sealedCode: String?
    ) async throws(AccountError) -> Stored<ProviderCall> {
        let time = now()
        let call = ProviderCall(
            version: 1, id: id, act: operation, provider: provider, user: user, link: link, clientID: clientID,
            sealedCode: sealedCode, createdAt: time,
            nextTryAt: time.addingTimeInterval(ProviderCall.retryDelay(after: 1)),
            tries: 1
        )
        return try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.create(Self.key(id), call)
        }
    }

    private static func context(_ id: UUID) -> String { id.uuidString.lowercased() }

    private static func key(_ id: UUID) -> ObjectKey { ObjectKey(known: StorageLayout.providerCall(id)) }
}
