import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The refresh tokens issued by providers, sealed, one object per link.
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

    /// An opened token.
    package struct OpenedToken: Sendable, Equatable {
        package let clientID: String
        package let refreshToken: String

        package init(clientID: String, refreshToken: String) {
            self.clientID = clientID
            self.refreshToken = refreshToken
        }
    }

    /// Stores a client's refresh token, replacing an earlier one. One read and one write.
    package func store(
        _ token: OpenedToken, of provider: ProviderName, link: LinkID, user: UserID, at time: Date
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

    /// Reads the tokens of one link. One read.
    package func tokens(
        of link: LinkID, _ user: UserID
    ) async throws(AccountError) -> Stored<ProviderTokensDocument>? {
        try await load(Self.key(user, link))
    }

    /// Reads the tokens of an account, including those of removed links. One listing and one read per object.
    package func all(of user: UserID) async throws(AccountError) -> [Stored<ProviderTokensDocument>] {
        let page = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.store.list(prefix: StorageLayout.providerTokens(user), after: nil, limit: 100)
        }
        var found: [Stored<ProviderTokensDocument>] = []
        for object in page.objects {
            if let document = try await load(object.key) { found.append(document) }
        }
        return found
    }

    /// Opens all tokens of a document, because callers replace or remove the document as a whole.
    /// - Throws: `secrets`, for example if a key is not configured.
    package func open(_ document: ProviderTokensDocument, _ user: UserID) throws(AccountError) -> [OpenedToken] {
        var opened: [OpenedToken] = []
        for token in document.tokens {
            do {
                let context = Self.context(document.link, token.clientID, user)
                let bytes = try keyRing.open(token.sealed, for: .providerTokens, context: context)
                opened.append(
                    OpenedToken(clientID: token.clientID, refreshToken: String(decoding: bytes, as: UTF8.self))
                )
            } catch {
                throw .secrets(error)
            }
        }
        return opened
    }

    /// Records that the provider confirmed exactly these tokens, and seals them under the current key. One write; a
    /// concurrent change wins.
    package func recordConfirmation(
        _ tokens: [OpenedToken], in stored: Stored<ProviderTokensDocument>, _ user: UserID, at time: Date
    ) async throws(AccountError) {
        let link = stored.value.link
        var next = stored.value
        next.tokens = try tokens.map { (token) throws(AccountError) in try seal(token, link, user) }
        next.checkedAt = time
        _ = try await write(next, over: stored, at: Self.key(user, link))
    }

    /// Removes a link's tokens if they are unchanged since they were read.
    package func remove(_ stored: Stored<ProviderTokensDocument>, _ user: UserID) async throws(AccountError) {
        _ = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.writes.delete(Self.key(user, stored.value.link), if: .matches(stored.etag))
        }
    }

    private func load(_ key: ObjectKey) async throws(AccountError) -> Stored<ProviderTokensDocument>? {
        try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in try await documents.load(key) }
    }

    /// - Returns: `nil` if the document was changed concurrently.
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
        _ token: OpenedToken, _ link: LinkID, _ user: UserID
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
