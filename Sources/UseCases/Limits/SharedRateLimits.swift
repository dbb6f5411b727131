import Foundation
import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI
import Secrets

/// `service/call-counts/{copy}.json`: the recent counts of one instance. Sealed, because they contain addresses.
struct CallCountsDocument: VersionedDocument {
    var version: Int
    var sealed: String
}

/// The calls counted between two exchanges.
private struct CountedCalls: Codable {
    let sequence: Int
    let counts: [String: Int]
}

/// Exchanges call counts between instances. An instance writes only while clients are near their limits; every instance
/// reads what the others wrote.
package actor SharedRateLimits {
    /// The most callers that an instance reports in one exchange.
    static let maximumKeys = 1000
    /// The seconds without a write after which an instance is considered gone.
    static let lifetime: TimeInterval = 300
    /// The age in seconds beyond which a newly started instance ignores a report.
    private static let freshness: TimeInterval = 60
    /// The number of exchanges in an instance's object, so that no other instance misses one.
    private static let retainedExchanges = 3

    private let documents: Documents<CallCountsDocument>
    private let limits: RateLimiter
    private let keyRing: KeyRing
    private var instance: UUID
    private let now: @Sendable () -> Date
    private let randomness: Randomness
    private let logger: Logger
    private var published: [CountedCalls] = []
    private var sequence = 0
    private var storedDocument: Stored<CallCountsDocument>?
    private var collected: [ObjectKey: (etag: ETag, sequence: Int)] = [:]

    package init(
        store: any ObjectStore, retry: RetryPolicy, limits: RateLimiter, keyRing: KeyRing,
        now: @escaping @Sendable () -> Date, randomness: Randomness, logger: Logger
    ) {
        documents = Documents(store: store, retry: retry)
        self.limits = limits
        self.keyRing = keyRing
        instance = randomness.uuid()
        self.now = now
        self.randomness = randomness
        self.logger = logger
    }

    /// Reports the calls counted here and applies the reports of other instances. One listing; one write if there is
    /// something to report; one read for each other instance that wrote.
    func exchange() async throws(ObjectStoreError) {
        do {
            try await publish()
        } catch {
            // The stored state is unknown now, so this instance continues under a new id.
            (instance, storedDocument, published) = (randomness.uuid(), nil, [])
            throw error
        }
        try await collect()
    }

    private func publish() async throws(ObjectStoreError) {
        sequence += 1
        let counts = limits.drainSharedCounts(most: Self.maximumKeys)
        published.removeAll { $0.sequence <= sequence - Self.retainedExchanges }
        let key = Self.key(instance)
        guard !counts.isEmpty else {
            if published.isEmpty, let last = storedDocument {
                _ = try await documents.writes.delete(key, if: .matches(last.etag))
                storedDocument = nil
            }
            return
        }
        let named = counts.map { ("\($0.key)", $0.value) }
        published.append(CountedCalls(sequence: sequence, counts: Dictionary(uniqueKeysWithValues: named)))
        guard let text = try? JSONEncoder().encode(published),
            let sealed = try? keyRing.seal(text, for: .callCounts, context: "\(instance)", randomness: randomness)
        else { throw .bodyFailed("sealing failed") }
        let document = CallCountsDocument(version: 1, sealed: sealed)
        if let last = storedDocument {
            storedDocument = try await documents.replace(key, last, with: document)
        } else {
            storedDocument = try await documents.create(key, document)
        }
    }

    private func collect() async throws(ObjectStoreError) {
        let listed = try await documents.store.list(prefix: StorageLayout.callCounts, after: nil, limit: 1000).objects
        let present = Set(listed.map(\.key))
        collected = collected.filter { present.contains($0.key) }
        for object in listed where object.key != Self.key(instance) {
            if now().timeIntervalSince(object.lastModified) > Self.lifetime {
                _ = try await documents.writes.delete(object.key, if: .matches(object.etag))
            } else if collected[object.key]?.etag != object.etag,
                now().timeIntervalSince(object.lastModified) <= Self.freshness
            {
                try await collect(object.key)
            }
        }
    }

    private func collect(_ key: ObjectKey) async throws(ObjectStoreError) {
        let found: Stored<CallCountsDocument>
        do {
            guard let loaded = try await documents.load(key) else { return }
            found = loaded
        } catch .corrupted {
            return logger.warning(
                .callCountsUnreadable, "unreadable call counts of another instance", metadata: ["key": "\(key)"])
        }
        let last = collected[key]?.sequence ?? 0
        guard let copy = Self.instance(key),
            let text = try? keyRing.open(found.value.sealed, for: .callCounts, context: "\(copy)"),
            let pages = try? JSONDecoder().decode([CountedCalls].self, from: text)
        else {
            logger.warning(
                .callCountsUnreadable, "unreadable call counts of another instance", metadata: ["key": "\(key)"])
            collected[key] = (found.etag, last)
            return
        }
        for calls in pages where calls.sequence > last {
            let known = calls.counts.compactMap { name, count in RateLimitKey(name).map { ($0, max(0, count)) } }
            limits.apply(Dictionary(known) { first, _ in first })
        }
        collected[key] = (found.etag, pages.map(\.sequence).max() ?? last)
    }

    private static func key(_ copy: UUID) -> ObjectKey { ObjectKey(known: StorageLayout.callCounts(of: copy)) }

    private static func instance(_ key: ObjectKey) -> UUID? {
        let name = key.description.dropFirst(StorageLayout.callCounts.count)
        return UUID(uuidString: String(name.prefix { $0 != "." }))
    }
}
