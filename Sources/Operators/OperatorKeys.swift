import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The keys of the operator API, in the store.
package struct OperatorKeys: Sendable {
    /// The most keys in a store, with those that have ended.
    package static let maximumKeys = 200
    /// The longest name, in bytes.
    package static let maximumNameLength = 64

    private let documents: Documents<OperatorKey>
    private let retry: RetryPolicy
    private let now: @Sendable () -> Date
    private let randomness: Randomness

    package init(
        store: any ObjectStore, retry: RetryPolicy, now: @escaping @Sendable () -> Date, randomness: Randomness
    ) {
        documents = Documents(store: store, retry: retry)
        (self.retry, self.now, self.randomness) = (retry, now, randomness)
    }

    /// Creates a key.
    /// - Parameter endsAt: from this time on the key is refused; `nil` for no end.
    /// - Returns: the key's record, and the key itself, which cannot be read again.
    /// - Throws: `invalidName`, `tooManyKeys`.
    package func create(
        name: String, role: OperatorRole, endsAt: Date?
    ) async throws(OperatorError) -> (key: OperatorKey, secret: OperatorSecret) {
        guard Self.isValid(name) else { throw .invalidName }
        guard try await all().count < Self.maximumKeys else { throw .tooManyKeys }
        let secret = OperatorSecret(randomness: randomness)
        let key = OperatorKey(
            version: 1, id: secret.id, name: name, role: role, secretHash: secret.hash, createdAt: now(), endsAt: endsAt
        )
        do {
            return (try await documents.create(Self.key(key.id), key).value, secret)
        } catch {
            throw .store(error)
        }
    }

    /// Creates the successor of a key, with its name and role. The key itself ends after `overlap`.
    /// - Parameter overlap: seconds; 0 ends the key at once.
    /// - Throws: `noSuchKey`, `ended`, `tooManyKeys`.
    package func rotate(
        _ id: String, overlap: TimeInterval, endsAt: Date?
    ) async throws(OperatorError) -> (key: OperatorKey, secret: OperatorSecret) {
        guard let known = try await load(id)?.value else { throw .noSuchKey }
        guard known.isValid(at: now()) else { throw .ended(known.endsAt ?? now()) }
        let made = try await create(name: known.name, role: known.role, endsAt: endsAt)
        _ = try await end(id, at: now().addingTimeInterval(overlap))
        return made
    }

    /// Ends a key, unless it ends earlier anyway. Its record stays, because the operator log names it.
    /// - Throws: `noSuchKey`; `ended` for a key that has ended.
    package func end(_ id: String, at end: Date) async throws(OperatorError) -> OperatorKey {
        for attempt in 0..<retry.attempts {
            guard let known = try await load(id) else { throw .noSuchKey }
            guard known.value.isValid(at: now()) else { throw .ended(known.value.endsAt ?? now()) }
            var next = known.value
            next.endsAt = min(known.value.endsAt ?? end, end)
            guard next != known.value else { return next }
            do throws(ObjectStoreError) {
                return try await documents.replace(Self.key(id), known, with: next).value
            } catch .preconditionFailed {
                await retry.pause(after: attempt)
            } catch {
                throw .store(error)
            }
        }
        throw .contended
    }

    /// Returns the valid key that a caller presents; `nil` if it is unknown, ended or wrong. One read.
    package func authenticate(_ secret: OperatorSecret) async throws(OperatorError) -> OperatorKey? {
        guard let key = try await load(secret.id)?.value, ConstantTime.isEqual(secret.hash, key.secretHash),
            key.isValid(at: now())
        else { return nil }
        return key
    }

    /// Returns a key that is valid now; `nil` if it is unknown or has ended. One read.
    package func validKey(_ id: String) async throws(OperatorError) -> OperatorKey? {
        guard let key = try await load(id)?.value, key.isValid(at: now()) else { return nil }
        return key
    }

    /// Returns all keys, the newest first. One listing, and one read each.
    package func all() async throws(OperatorError) -> [OperatorKey] {
        do throws(ObjectStoreError) {
            let page = try await documents.store.list(
                prefix: StorageLayout.operatorKeys, after: nil, limit: Self.maximumKeys + 1)
            var keys: [OperatorKey] = []
            for object in page.objects {
                if let key = try await documents.load(object.key) { keys.append(key.value) }
            }
            return keys.sorted { ($1.createdAt, $1.id) < ($0.createdAt, $0.id) }
        } catch {
            throw .store(error)
        }
    }

    private func load(_ id: String) async throws(OperatorError) -> Stored<OperatorKey>? {
        guard OperatorSecret.isID(id) else { return nil }
        do {
            return try await documents.load(Self.key(id))
        } catch {
            throw .store(error)
        }
    }

    private static func isValid(_ name: String) -> Bool {
        (1...maximumNameLength).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "@"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    private static func key(_ id: String) -> ObjectKey { ObjectKey(known: StorageLayout.operatorKey(id)) }
}
