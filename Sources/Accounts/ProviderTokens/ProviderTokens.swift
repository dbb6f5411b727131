import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The refresh tokens that providers gave us, sealed, one object for each link.
package struct ProviderTokens: Sendable {
    private let documents: Documents<ProviderTokensDocument>
    private let keyRing: KeyRing
    private let retry: RetryPolicy
    private let randomness: Randomness

    package init(store: any ObjectStore, retry: RetryPolicy, keyRing: KeyRing, randomness: Randomness) {
        documents = Documents(store: store, retry: retry)
        self.keyRing = keyRing
        self.retry = retry
        self.randomness = randomness
    }

    /// A token as it is used.
    package struct Opened: Sendable, Equatable {
        package let clientID: String
        package let refreshToken: String

        package init(clientID: String, refreshToken: String) {
            self.clientID = clientID
            self.refreshToken = refreshToken
        }
    }

    /// Keeps a client's refresh token in place of an earlier one. One read, one write.
    package func keep(
        _ token: Opened, of provider: ProviderName, link: LinkID, user: UserID, at time: Date
    ) async throws(AccountError) {
        let sealed = try seal(token, link, user)
        let key = Self.key(user, link)
        for attempt in 0..<retry.attempts {
            let known = try await load(key)
            var next =
                known?.value
                ?? ProviderTokensDocument(version: 1, link: link, provider: provider, tokens: [], checkedAt: time)
            next.tokens.removeAll { $0.clientID == token.clientID }
            next.tokens.append(sealed)
            next.checkedAt = time
            if try await write(next, over: known, at: key) != nil { return }
            await retry.pause(after: attempt)
        }
        throw .contended
    }

    /// Those of one link. One read.
    package func tokens(
        of link: LinkID, _ user: UserID
    ) async throws(AccountError) -> Stored<ProviderTokensDocument>? {
        try await load(Self.key(user, link))
    }

    /// Those of all links of an account, with links that it has no more. One listing, and a read for each.
    package func all(of user: UserID) async throws(AccountError) -> [Stored<ProviderTokensDocument>] {
        let page = try await AccountError.storing { () throws(ObjectStoreError) in
            try await documents.store.list(prefix: StorageLayout.providerTokens(user), after: nil, limit: 100)
        }
        var found: [Stored<ProviderTokensDocument>] = []
        for object in page.objects {
            if let document = try await load(object.key) { found.append(document) }
        }
        return found
    }

    /// Opens what a document keeps: all of it, as whoever asks writes or removes the whole.
    /// - Throws: `secrets`, for example when a key is not configured.
    package func open(_ document: ProviderTokensDocument, _ user: UserID) throws(AccountError) -> [Opened] {
        var opened: [Opened] = []
        for token in document.tokens {
            do {
                let context = Self.context(document.link, token.clientID, user)
                let bytes = try keyRing.open(token.sealed, for: .providerTokens, context: context)
                opened.append(
                    Opened(clientID: token.clientID, refreshToken: String(decoding: bytes, as: UTF8.self))
                )
            } catch {
                throw .secrets(error)
            }
        }
        return opened
    }

    /// Notes that the provider confirmed these tokens and no others, and seals them under the current key. One write; what
    /// somebody else wrote meanwhile stays.
    package func confirm(
        _ tokens: [Opened], in stored: Stored<ProviderTokensDocument>, _ user: UserID, at time: Date
    ) async throws(AccountError) {
        let link = stored.value.link
        var next = stored.value
        next.tokens = try tokens.map { (token) throws(AccountError) in try seal(token, link, user) }
        next.checkedAt = time
        _ = try await write(next, over: stored, at: Self.key(user, link))
    }

    /// Forgets a link's tokens as they were read; those that were kept meanwhile stay.
    package func remove(_ stored: Stored<ProviderTokensDocument>, _ user: UserID) async throws(AccountError) {
        _ = try await AccountError.storing { () throws(ObjectStoreError) in
            try await documents.writes.delete(Self.key(user, stored.value.link), if: .matches(stored.etag))
        }
    }

    private func load(_ key: ObjectKey) async throws(AccountError) -> Stored<ProviderTokensDocument>? {
        try await AccountError.storing { () throws(ObjectStoreError) in try await documents.load(key) }
    }

    /// - Returns: `nil` when somebody else was faster.
    private func write(
        _ document: ProviderTokensDocument, over known: Stored<ProviderTokensDocument>?, at key: ObjectKey
    ) async throws(AccountError) -> Stored<ProviderTokensDocument>? {
        do {
            guard let known else { return try await documents.create(key, document) }
            return try await documents.replace(key, known, with: document)
        } catch .preconditionFailed {
            return nil
        } catch {
            throw .store(error)
        }
    }

    private func seal(
        _ token: Opened, _ link: LinkID, _ user: UserID
    ) throws(AccountError) -> ProviderTokensDocument.Token {
        do {
            let sealed = try keyRing.seal(
                Data(token.refreshToken.utf8), for: .providerTokens,
                context: Self.context(link, token.clientID, user), randomness: randomness
            )
            return ProviderTokensDocument.Token(clientID: token.clientID, sealed: sealed)
        } catch {
            throw .secrets(error)
        }
    }

    private static func context(_ link: LinkID, _ clientID: String, _ user: UserID) -> String {
        "\(user)/\(link)/\(clientID)"
    }

    private static func key(_ user: UserID, _ link: LinkID) -> ObjectKey {
        ObjectKey(known: StorageLayout.providerTokens(user, link))
    }
}
