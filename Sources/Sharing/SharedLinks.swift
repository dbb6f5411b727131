import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// A shared link of an account.
package struct SharedLink: Sendable {
    package let token: SharedLinkToken
    package let document: SharedLinkDocument
    let etag: ETag

    package var id: SharedLinkID { token.id }
}

/// The shared links of accounts, one object each, below the prefix that only the service writes.
package struct SharedLinks: Sendable {
    /// The most links of an account, expired ones included.
    package static let maximumPerAccount = 100
    /// The number of links that are read concurrently.
    private static let parallelReads = 10

    private let documents: Documents<SharedLinkDocument>
    private let retry: RetryPolicy
    private let randomness: Randomness
    private let now: @Sendable () -> Date

    package init(
        store: any ObjectStore, retry: RetryPolicy, randomness: Randomness, now: @escaping @Sendable () -> Date
    ) {
        documents = Documents(store: store, retry: retry)
        (self.retry, self.randomness, self.now) = (retry, randomness, now)
    }

    /// Checks that an account may have another link. One listing. Concurrent calls may exceed the limit by their number.
    /// - Throws: `tooManyLinks`.
    package func requireRoom(for user: UserID) async throws(SharingError) {
        guard try await ids(of: user).count < Self.maximumPerAccount else { throw .tooManyLinks }
    }

    /// Creates a link. One write.
    package func create(
        _ user: UserID, _ content: SharedContent, _ options: SharedLinkOptions
    ) async throws(SharingError) -> SharedLink {
        let token = SharedLinkToken(user, randomness: randomness)
        let document = SharedLinkDocument(
            version: 1, token: token.description, content: content, createdAt: now(), options: options, views: 0,
            disabled: nil)
        let stored = try await SharingError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.create(Self.key(user, token.id), document)
        }
        return SharedLink(token: token, document: stored.value, etag: stored.etag)
    }

    /// Returns the link that a token opens, also if it has expired or is disabled. One read.
    package func link(_ token: SharedLinkToken) async throws(SharingError) -> SharedLink? {
        guard let link = try await link(token.id, of: token.user), link.token == token else { return nil }
        return link
    }

    /// Returns a link of an account. One read.
    package func link(_ id: SharedLinkID, of user: UserID) async throws(SharingError) -> SharedLink? {
        let key = Self.key(user, id)
        let stored = try await SharingError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.load(key)
        }
        guard let stored else { return nil }
        guard let token = SharedLinkToken(stored.value.token), token.id == id, token.user == user else {
            throw .corrupted(key.description)
        }
        return SharedLink(token: token, document: stored.value, etag: stored.etag)
    }

    /// Returns the links of an account, the newest first. One listing and one read for each link.
    package func all(of user: UserID) async throws(SharingError) -> [SharedLink] {
        var waiting = try await ids(of: user)[...]
        var links: [SharedLink] = []
        while !waiting.isEmpty {
            let part = waiting.prefix(Self.parallelReads)
            waiting = waiting.dropFirst(part.count)
            do {
                links += try await withThrowingTaskGroup(of: SharedLink?.self) { group in
                    for id in part { group.addTask { try await link(id, of: user) } }
                    return try await group.reduce(into: []) { links, link in if let link { links.append(link) } }
                }
            } catch let error as SharingError {
                throw error
            } catch {
                throw .corrupted("\(error)")
            }
        }
        return links.sorted {
            ($0.document.createdAt, $0.id.description) > ($1.document.createdAt, $1.id.description)
        }
    }

    /// Changes a link by compare-and-swap. A change without effect writes nothing.
    /// - Throws: `notFound`; `contended`.
    @discardableResult
    package func change(
        _ id: SharedLinkID, of user: UserID, _ mutate: (inout SharedLinkDocument) -> Void
    ) async throws(SharingError) -> SharedLink {
        for attempt in 0..<retry.attempts {
            guard let link = try await link(id, of: user) else { throw .notFound }
            if let changed = try await replace(link, mutate) { return changed }
            await retry.pause(after: attempt)
        }
        throw .contended
    }

    /// Counts a view of a link. One write; a concurrent change wins, and the view is not counted.
    package func countView(of link: SharedLink) async throws(SharingError) {
        _ = try await replace(link) { $0.views += 1 }
    }

    /// Deletes a link. One request.
    package func delete(_ id: SharedLinkID, of user: UserID) async throws(SharingError) {
        try await SharingError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.store.delete(Self.key(user, id), if: .always)
        }
    }

    /// - Returns: `nil` if the link was changed concurrently.
    private func replace(
        _ link: SharedLink, _ mutate: (inout SharedLinkDocument) -> Void
    ) async throws(SharingError) -> SharedLink? {
        var next = link.document
        mutate(&next)
        guard next != link.document else { return link }
        let known = Stored(value: link.document, etag: link.etag)
        do {
            let stored = try await documents.replace(Self.key(link.token.user, link.id), known, with: next)
            return SharedLink(token: link.token, document: stored.value, etag: stored.etag)
        } catch .preconditionFailed {
            return nil
        } catch {
            throw .store(error)
        }
    }

    private func ids(of user: UserID) async throws(SharingError) -> [SharedLinkID] {
        let prefix = StorageLayout.sharedLinks(user)
        let page = try await SharingError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.store.list(prefix: prefix, after: nil, limit: 1000)
        }
        return page.objects.compactMap { object in
            let name = object.key.description.dropFirst(prefix.count)
            return name.hasSuffix(".json") ? SharedLinkID(String(name.dropLast(".json".count))) : nil
        }
    }

    private static func key(_ user: UserID, _ id: SharedLinkID) -> ObjectKey {
        ObjectKey(known: StorageLayout.sharedLink(user, id: id.description))
    }
}
