import Foundation
import ObjectStorage
import PhotolalaAPI

/// `service/deletions/{uuid}.json`: a scheduled or unfinished deletion, so that the erasure finds it without reading all
/// accounts. Written before the account: a record of an account that is not being deleted has no effect and is removed.
package struct DeletionRecord: VersionedDocument {
    package var version: Int
    package let user: UserID
    /// When the deletion was last requested, or a legal hold on the account released.
    package var requestedAt: Date
    /// The progress of the erasure; `nil` until it begins.
    package var progress: ErasureProgress?
    /// When the erasure continues; in the future while it waits or after a failure.
    package var nextTryAt: Date
    /// The number of failures since the last progress.
    package var failures: Int
    /// Why the erasure did not finish last time.
    package var reason: String?
}

/// What an erasure has done. Kept in the record, so that any instance can continue after any interruption.
package struct ErasureProgress: Codable, Sendable, Equatable {
    /// When the account became a tombstone.
    package let begunAt: Date
    /// The final sequence and hash of the audit log.
    package let auditSequence: Int
    package let auditHash: String
    /// When the last reserved upload from before has ended, whose address is valid without the account; `nil` if there
    /// is none.
    package var uploadsEndAt: Date?
    /// The number of the current round: objects are counted, then erased, and counted again an hour later, until there
    /// are none.
    package var round = 1
    /// Whether the objects of this round are counted, so that they can be erased.
    package var isCounted = false
    /// The kinds of personal data of this round that wait for another system; `nil` before the others are erased. What
    /// arrives after the count waits for the next round.
    package var waitingKinds: [String]?
    /// What was erased, by kind of personal data. Counted before it is erased.
    package var erased: [String: ErasedObjects] = [:]
    /// What the providers answered to the revocation of their tokens, by provider.
    package var revocations: [String: ProviderRevocation]

    package init(
        begunAt: Date, auditSequence: Int, auditHash: String, revocations: [String: ProviderRevocation]
    ) {
        self.revocations = revocations
        self.begunAt = begunAt
        self.auditSequence = auditSequence
        self.auditHash = auditHash
    }
}

/// The revocation of an account's tokens at one provider.
package enum ProviderRevocation: String, Codable, Sendable {
    /// The provider accepted the request, or did not know the token any more. Apple answers so to any token: it proves
    /// nothing.
    case requested
    /// The provider did not accept it within a week, and the tokens were deleted here.
    case failed
    /// This server has no client for the provider any more, so the tokens were only deleted here.
    case notConfigured = "not_configured"
    /// The server stopped during the request, so the provider's answer is not known.
    case unknown
}

/// The records of deletions.
package struct DeletionRecords: Sendable {
    private let documents: Documents<DeletionRecord>
    private let retry: RetryPolicy

    package init(store: any ObjectStore, retry: RetryPolicy) {
        documents = Documents(store: store, retry: retry)
        self.retry = retry
    }

    /// Records that a deletion is about to be scheduled. Two requests; idempotent.
    package func schedule(_ user: UserID, at time: Date) async throws(AccountError) {
        for attempt in 0..<retry.attempts {
            do throws(ObjectStoreError) {
                guard let known = try await documents.load(Self.key(user)) else {
                    let record = DeletionRecord(
                        version: 1, user: user, requestedAt: time, nextTryAt: time, failures: 0)
                    _ = try await documents.create(Self.key(user), record)
                    return
                }
                var next = known.value
                (next.requestedAt, next.nextTryAt, next.failures, next.reason) = (time, time, 0, nil)
                _ = try await documents.replace(Self.key(user), known, with: next)
                return
            } catch .preconditionFailed {
                await retry.pause(after: attempt)
            } catch {
                throw .store(error)
            }
        }
        throw .contended
    }

    /// Returns the record of an account. One read.
    package func record(_ user: UserID) async throws(AccountError) -> Stored<DeletionRecord>? {
        try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in try await documents.load(Self.key(user))
        }
    }

    /// Returns all readable records in order. One listing per thousand, and one read each.
    package func all() async throws(AccountError) -> [DeletionRecord] {
        var (all, after) = ([DeletionRecord](), UserID?.none)
        repeat {
            let page = try await users(after: after)
            for user in page.users {
                do throws(AccountError) {
                    if let record = try await record(user) { all.append(record.value) }
                } catch {
                    guard case .store(.corrupted) = error else { throw error }
                }
            }
            after = page.isTruncated ? page.users.last : nil
        } while after != nil
        return all
    }

    /// Returns a page of the accounts with records, at most 1,000, in order. One listing.
    package func users(after user: UserID?) async throws(AccountError) -> (users: [UserID], isTruncated: Bool) {
        let after = user.map { Self.key($0).description }
        let page = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.store.list(prefix: StorageLayout.deletions, after: after, limit: 1000)
        }
        let users = page.objects.compactMap { object in
            UserID(String(object.key.description.dropFirst(StorageLayout.deletions.count).prefix { $0 != "." }))
        }
        return (users, page.isTruncated)
    }

    /// Replaces a record. One write.
    /// - Returns: `nil` if another instance changed it.
    package func replace(
        _ record: Stored<DeletionRecord>, with next: DeletionRecord
    ) async throws(AccountError) -> Stored<DeletionRecord>? {
        do {
            return try await documents.replace(Self.key(next.user), record, with: next)
        } catch .preconditionFailed {
            return nil
        } catch {
            throw .store(error)
        }
    }

    /// Removes a record if it is unchanged.
    package func remove(_ record: Stored<DeletionRecord>) async throws(AccountError) {
        _ = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.writes.delete(Self.key(record.value.user), if: .matches(record.etag))
        }
    }

    private static func key(_ user: UserID) -> ObjectKey { ObjectKey(known: StorageLayout.deletion(user)) }
}
