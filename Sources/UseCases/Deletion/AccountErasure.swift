import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI
import StorageAccess
import Subscriptions
import Synchronization

/// Erases the accounts whose deletion is due, with everything that the store holds about their owners.
///
/// An erasure goes in rounds: it counts all personal data, records the counts, and erases what it counted. An hour later it
/// counts again, because a request from before may have arrived late. A round without objects ends it: the receipt
/// is written, and the account document is deleted last. Every step can be interrupted and repeated, also by two
/// instances at once.
package struct AccountErasure: Sendable {
    let accounts: AccountDirectory
    let store: any ObjectStore
    let erasure: PersonalDataErasure
    let revocation: ErasureRevocation
    let auditLog: DeviceAuditLog
    let receipts: DeletionReceiptWriter
    /// The reserved uploads; `nil` if the store refuses their addresses once the account is being deleted.
    let reservations: UploadReservations?
    let now: @Sendable () -> Date
    let logger: Logger

    /// The number of accounts that are erased at once.
    private static let concurrency = 4
    /// How long credentials and links from before the deletion was scheduled can still write, in seconds: storage
    /// credentials an hour, and a signature's clock skew. Addresses of reserved uploads can last longer:
    /// `ErasureProgress.uploadsEndAt`.
    static let fence: TimeInterval = 3600 + 900
    /// The time between the rounds, in seconds: no request is under way that long.
    static let roundInterval: TimeInterval = 3600
    /// How long an erasure waits for the app's server to accept the last events, and for providers to accept revocations, in
    /// seconds. Then the audit log and the tokens are erased all the same.
    static let patience: TimeInterval = 7 * 86_400
    /// How long after its date a deletion that is not complete counts as overdue, in seconds.
    package static let overdueAfter: TimeInterval = 8 * 86_400

    /// Continues all deletions that are due. One read and one listing, and for each deletion a read. A failure of one does
    /// not stop the others.
    /// - Returns: the number of overdue deletions; `nil` if it is unknown, because deletions wait for a legacy import or a
    ///   read failed.
    @discardableResult
    package func eraseDueAccounts(holding lease: JobLease? = nil) async throws(ServiceError) -> JobTotals? {
        // The sources of a legacy import would bring an erased account back.
        guard try await mapServiceErrors({ try await StoreManifest.legacyImport(of: store) }) == nil else {
            logger.warning(.deletionsBlocked, "deletions wait for the confirmation of the legacy import")
            return nil
        }
        let overdue = Mutex<Int?>(0)
        var after: UserID?
        repeat {
            let start = after
            let page = try await mapServiceErrors { try await accounts.deletions.users(after: start) }
            var users = page.users.makeIterator()
            let isHeld = Mutex(true)
            await concurrentForEach(
                Self.concurrency,
                next: {
                    if let lease, (try? await lease.renew()) != true { isHeld.withLock { $0 = false } }
                    return isHeld.withLock { $0 } ? users.next() : nil
                }
            ) { user in
                await eraseIfDue(user)
                let isOverdue = try? await isOverdue(user)
                overdue.withLock { count in
                    count = isOverdue.flatMap { isOverdue in count.map { $0 + (isOverdue ? 1 : 0) } }
                }
            }
            guard isHeld.withLock({ $0 }) else { return nil }
            after = page.isTruncated ? page.users.last : nil
        } while after != nil
        return overdue.withLock { $0 }.map { JobTotals(overdueDeletions: $0) }
    }

    /// Returns whether a deletion is overdue. One read, and one more for a deletion that may be.
    private func isOverdue(_ user: UserID) async throws -> Bool {
        guard let record = try await accounts.deletions.record(user)?.value,
            now() > record.requestedAt.addingTimeInterval(accounts.deletionUndoPeriod + Self.overdueAfter),
            // It waits for the end of long-lived upload addresses, and for a round after it.
            record.progress?.uploadsEndAt.map({ now() > $0.addingTimeInterval(2 * Self.roundInterval) }) ?? true
        else { return false }
        // A legal hold delays it, and a record without a deletion was cancelled.
        let account = try await accounts.account(user)?.value
        return account?.legalHold == nil && (account?.deletion != nil || record.progress != nil)
    }

    private func eraseIfDue(_ user: UserID) async {
        do {
            guard let record = try await accounts.deletions.record(user), record.value.nextTryAt <= now() else {
                return
            }
            do {
                try await erase(record)
            } catch {
                guard !Task.isCancelled else { return }
                try await recordFailure(error, of: user)
            }
        } catch {
            guard !Task.isCancelled else { return }
            logger.error(.deletionFailed, "deletion of an account failed", metadata: ["reason": "\(error)"])
        }
    }

    /// Continues one deletion as far as it goes now.
    func erase(_ record: Stored<DeletionRecord>) async throws {
        let user = record.value.user
        guard let account = try await accounts.account(user) else { return try await finish(record) }
        switch account.value.state {
        case .active, .abandoned: return try await removeUnused(record)
        case .deleting, .deleted: break
        }
        if let date = account.value.deletion.map(Self.start), date > now(), account.value.state == .deleting {
            return try await wait(until: date, record)
        }
        // Not an overdue deletion: it continues when the hold is released.
        guard account.value.legalHold == nil else { return }
        if account.value.state == .deleting {
            // An account is not closed before it is certain that it can be erased.
            try await accounts.erasureKey.open()
            let probe = ObjectKey(known: StorageLayout.bucketProbe(account.value.deletion?.id ?? user.uuid))
            try await erasure.checkAccess(to: user, probe: probe)
            // The last events of devices enter the log while it can be appended to.
            _ = try await auditLog.flushAllDevices(of: user)
        }
        guard let tombstone = try await accounts.makeTombstone(of: account) else { return }
        try await accounts.erasures.begin(user, at: now())
        guard let begun = try await begin(record, tombstone.value) else { return }
        guard let counted = try await count(begun, tombstone) else { return }
        try await erase(counted, tombstone)
    }

    /// When the data of an account may be erased.
    private static func start(_ deletion: ScheduledDeletion) -> Date {
        max(deletion.erasesAt, deletion.requestedAt.addingTimeInterval(fence))
    }

    /// When no upload from before the deletion was scheduled can still arrive: credentials last an hour, and a request that
    /// began within it may take this long.
    private static func endOfUploads(_ deletion: ScheduledDeletion, _ progress: ErasureProgress) -> Date {
        let end = deletion.requestedAt.addingTimeInterval(
            fence + UploadRequest.maximumDuration(of: UploadRequest.maximumPhotoSize))
        return max(end, progress.uploadsEndAt ?? end)
    }

    /// Returns when the last reserved upload has ended. Without a readable record of them, a week from now and the time
    /// that an upload may take.
    private func endOfReservedUploads(of user: UserID) async throws -> Date? {
        do throws(ObjectStoreError) {
            return try await reservations?.end(of: user)
        } catch .corrupted {
            return now().addingTimeInterval(
                TimeInterval(UploadRequests.maximumLifetime)
                    + UploadRequest.maximumDuration(of: UploadRequest.maximumPhotoSize))
        }
    }

    private func begin(
        _ record: Stored<DeletionRecord>, _ tombstone: AccountDocument
    ) async throws -> Stored<DeletionRecord>? {
        guard record.value.progress == nil else { return record }
        var next = record.value
        next.progress = ErasureProgress(
            begunAt: now(), auditSequence: tombstone.audit.sequence, auditHash: tombstone.audit.hash,
            revocations: try await revocation.pending(of: tombstone.serviceUserID))
        // The first round erases the record of the reservations.
        next.progress?.uploadsEndAt = try await endOfReservedUploads(of: tombstone.serviceUserID)
        return try await accounts.deletions.replace(record, with: next)
    }

    /// Counts the objects of a round, unless that was done.
    /// - Returns: the record of a round to erase; `nil` if the erasure is complete or another instance continues it.
    private func count(
        _ record: Stored<DeletionRecord>, _ tombstone: Stored<AccountDocument>
    ) async throws -> Stored<DeletionRecord>? {
        guard var progress = record.value.progress, !progress.isCounted else { return record }
        let found = try await erasure.count(of: tombstone.value)
        guard progress.round == 1 || !found.isEmpty else {
            if let end = tombstone.value.deletion.map({ Self.endOfUploads($0, progress) }), end > now() {
                try await wait(until: end, record)
                return nil
            }
            try await complete(progress, tombstone)
            return nil
        }
        for (kind, count) in found { progress.erased[kind, default: ErasedObjects()] += count }
        progress.isCounted = true
        var next = record.value
        next.progress = progress
        return try await accounts.deletions.replace(record, with: next)
    }

    /// Erases what a round counted, and schedules the next one.
    private func erase(_ record: Stored<DeletionRecord>, _ tombstone: Stored<AccountDocument>) async throws {
        guard var progress = record.value.progress else { return }
        let isPatient = now() < progress.begunAt.addingTimeInterval(Self.patience)
        var reasons: [String] = []
        var blocked: Set<String> = []
        if isPatient, try await areEventsPending(tombstone.value) {
            reasons.append("events not delivered")
            blocked = ["audit_log", "event_deliveries"]
        }
        let user = tombstone.value.serviceUserID
        let (answers, failures) = try await revocation.revokeAll(of: user, isLast: !isPatient)
        progress.revocations.merge(answers) { _, new in new }
        if !failures.isEmpty { blocked.insert("provider_tokens") }
        reasons += failures
        if !blocked.isEmpty { blocked.insert(PersonalDataErasure.other) }
        if let kinds = progress.waitingKinds {
            try await erasure.erase(Set(kinds).subtracting(blocked), of: user)
        } else {
            try await erasure.eraseAll(of: tombstone.value, except: blocked)
        }
        var next = record.value
        next.progress = progress
        next.progress?.waitingKinds = blocked.isEmpty ? nil : blocked.sorted()
        if blocked.isEmpty {
            next.progress?.round += 1
            next.progress?.isCounted = false
            (next.nextTryAt, next.failures, next.reason) = (now().addingTimeInterval(Self.roundInterval), 0, nil)
        }
        guard try await accounts.deletions.replace(record, with: next) != nil else { return }
        if !reasons.isEmpty { throw ErasureWaiting(reasons: reasons) }
    }

    /// Whether the app's server has not accepted all events. Makes sure that they are sent.
    private func areEventsPending(_ tombstone: AccountDocument) async throws -> Bool {
        guard accounts.outbox != nil, tombstone.unsentEvents != nil else { return false }
        try await accounts.ensureDelivery(of: tombstone.serviceUserID)
        return true
    }

    private func complete(
        _ progress: ErasureProgress, _ tombstone: Stored<AccountDocument>
    ) async throws {
        let user = tombstone.value.serviceUserID
        let receipt = try await receipts.sign(tombstone.value, progress, at: now())
        try await accounts.erasures.complete(user, at: now(), receipt: receipt)
        try await accounts.removeTombstone(tombstone)
        try await erasure.eraseRecords(of: user)
        logger.notice(.accountDeleted, "account deleted", metadata: ["rounds": "\(progress.round)"])
    }

    /// Removes the record of an erasure that was interrupted after its last step.
    private func finish(_ record: Stored<DeletionRecord>) async throws {
        guard record.value.progress != nil else { return try await removeUnused(record) }
        let user = record.value.user
        guard try await accounts.erasures.entry(of: user)?.value.completedAt != nil else {
            throw ErasureWaiting(reasons: ["account document lost during the erasure: restore it"])
        }
        try await erasure.eraseRecords(of: user)
    }

    /// Removes the record of a deletion that was cancelled, or never scheduled. Waits a while, as the request that wrote
    /// it may be about to write the account.
    private func removeUnused(_ record: Stored<DeletionRecord>) async throws {
        let date = record.value.requestedAt.addingTimeInterval(Self.roundInterval)
        guard date <= now() else { return try await wait(until: date, record) }
        try await accounts.deletions.remove(record)
    }

    private func wait(until date: Date, _ record: Stored<DeletionRecord>) async throws {
        var next = record.value
        next.nextTryAt = date
        _ = try await accounts.deletions.replace(record, with: next)
    }

    /// Schedules another attempt: after a minute, later after up to six hours.
    private func recordFailure(_ error: any Error, of user: UserID) async throws {
        guard let record = try await accounts.deletions.record(user) else { return }
        var next = record.value
        next.failures += 1
        next.reason = "\(error)"
        next.nextTryAt = now().addingTimeInterval(min(60 * Double(1 << min(next.failures - 1, 9)), 21_600))
        _ = try await accounts.deletions.replace(record, with: next)
        let erasesAt = record.value.requestedAt.addingTimeInterval(accounts.deletionUndoPeriod)
        let isOverdue = now() > erasesAt.addingTimeInterval(Self.overdueAfter)
        logger.log(
            level: isOverdue ? .error : .warning, .deletionWaiting, "deletion of an account waits",
            metadata: ["reason": "\(error)", "failures": "\(next.failures)"])
    }
}

/// An erasure that waits for another system.
struct ErasureWaiting: Error, CustomStringConvertible {
    let reasons: [String]

    var description: String { reasons.joined(separator: "; ") }
}
