import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Calls to providers that nobody waits for: kept in the store until they are made, so that neither a slow provider nor a
/// stopped server loses one.
///
/// Whoever keeps a call makes it at once, for a minute alone; after that any copy may, one at a time. An exchange that
/// was under way when its copy stopped may be made twice: the code is good once, and the provider refuses the second.
package struct ProviderCalls: Sendable {
    /// Calls that this copy has just kept, as far as it has time for them; the others wait for their minute.
    package let fresh: AsyncStream<Stored<ProviderCall>>

    private let hand: AsyncStream<Stored<ProviderCall>>.Continuation
    private let documents: Documents<ProviderCall>
    private let keyRing: KeyRing
    private let now: @Sendable () -> Date
    private let randomness: Randomness

    /// - Parameter waiting: how many fresh calls wait in memory at most.
    package init(
        store: any ObjectStore, retry: RetryPolicy, keyRing: KeyRing, waiting: Int = 1000,
        now: @escaping @Sendable () -> Date, randomness: Randomness
    ) {
        documents = Documents(store: store, retry: retry)
        self.keyRing = keyRing
        self.now = now
        self.randomness = randomness
        (fresh, hand) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(waiting))
    }

    /// Keeps the exchange of a code. One write.
    package func exchange(
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
        hand.yield(try await keep(id, .exchange, provider, link, user, clientID: clientID, sealedCode: sealed))
    }

    /// Keeps the taking back of a link's tokens. Written before the link is ended: a call that finds the link in force
    /// after ten minutes does nothing. One write.
    package func revoke(
        at provider: ProviderName, link: LinkID, _ user: UserID
    ) async throws(AccountError) -> Stored<ProviderCall> {
        try await keep(randomness.uuid(), .revoke, provider, link, user, clientID: nil, sealedCode: nil)
    }

    /// Has a call made at once that was kept before.
    package func makeSoon(_ call: Stored<ProviderCall>) { hand.yield(call) }

    /// The code of an exchange.
    package func code(of call: ProviderCall) -> String? {
        guard let sealed = call.sealedCode,
            let bytes = try? keyRing.open(sealed, for: .providerTokens, context: Self.context(call.id))
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The keys of all calls that are kept, the first thousand.
    package func kept() async throws(AccountError) -> [ObjectKey] {
        try await AccountError.storing { () throws(ObjectStoreError) in
            try await documents.store.list(prefix: StorageLayout.providerCalls, after: nil, limit: 1000).objects
                .map(\.key)
        }
    }

    /// Takes a call whose time has come; other copies leave it alone until its next time. One read, one write.
    /// - Returns: `nil` when it is gone, another copy has it, or its time has not come.
    package func take(_ key: ObjectKey) async throws(AccountError) -> Stored<ProviderCall>? {
        guard
            let found = try await AccountError.storing({ () throws(ObjectStoreError) in try await documents.load(key) }
            ),
            found.value.nextTryAt <= now()
        else { return nil }
        var next = found.value
        next.tries += 1
        next.nextTryAt = now().addingTimeInterval(ProviderCall.pause(after: next.tries))
        do {
            return try await documents.replace(key, found, with: next)
        } catch .preconditionFailed {
            return nil
        } catch {
            throw .store(error)
        }
    }

    /// The call was made, or need not be.
    package func finish(_ call: Stored<ProviderCall>) async throws(AccountError) {
        _ = try await AccountError.storing { () throws(ObjectStoreError) in
            try await documents.writes.delete(Self.key(call.value.id), if: .matches(call.etag))
        }
    }

    private func keep(
        _ id: UUID, _ act: ProviderCall.Act, _ provider: ProviderName, _ link: LinkID, _ user: UserID,
        clientID: String?, sealedCode: String?
    ) async throws(AccountError) -> Stored<ProviderCall> {
        let time = now()
        let call = ProviderCall(
            version: 1, id: id, act: act, provider: provider, user: user, link: link, clientID: clientID,
            sealedCode: sealedCode, createdAt: time, nextTryAt: time.addingTimeInterval(ProviderCall.pause(after: 1)),
            tries: 1
        )
        return try await AccountError.storing { () throws(ObjectStoreError) in
            try await documents.create(Self.key(id), call)
        }
    }

    private static func context(_ id: UUID) -> String { id.uuidString.lowercased() }

    private static func key(_ id: UUID) -> ObjectKey { ObjectKey(known: StorageLayout.providerCall(id)) }
}
