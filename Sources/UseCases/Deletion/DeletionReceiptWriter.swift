import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import Subscriptions

/// Writes and signs the receipts of deletions.
struct DeletionReceiptWriter: Sendable {
    let key: ErasureKey
    /// The `iss` of receipts, as of access tokens.
    let issuer: String
    /// How long the operator keeps backups that may contain the account, in days; `nil` if the setting does not say.
    let backupDays: Int?
    /// Whether the store may keep earlier versions of objects.
    let keepsVersions: Bool

    /// Signs the receipt of a completed deletion.
    /// - Returns: a compact JWS whose payload is JSON.
    func sign(_ tombstone: AccountDocument, _ progress: ErasureProgress, at time: Date) async throws(AccountError)
        -> String
    {
        let receipt = DeletionReceipt(
            iss: issuer, sub: tombstone.serviceUserID, iat: Int(time.timeIntervalSince1970),
            accountCreatedAt: tombstone.createdAt, requestedAt: tombstone.deletion?.requestedAt ?? progress.begunAt,
            requestedBy: tombstone.deletion?.actor ?? .service, erasureBegunAt: progress.begunAt, completedAt: time,
            rounds: progress.round, erased: progress.erased.mapValues(DeletionReceipt.Count.init),
            providers: progress.revocations,
            auditLog: .init(entries: progress.auditSequence, sha256: progress.auditHash),
            remains: remains(of: tombstone, time))
        guard let payload = try? Self.encoder.encode(receipt) else { throw .corrupted("deletion receipt") }
        return try await key.sign(payload)
    }

    private func remains(of tombstone: AccountDocument, _ time: Date) -> [DeletionReceipt.Remainder] {
        var remains = [
            DeletionReceipt.Remainder(
                what: "a keyed hash of the account ID, and this receipt, encrypted", until: nil,
                why: "to delete the account again if a backup brings it back, and to prove the deletion"),
            DeletionReceipt.Remainder(
                what: "backups of the store", until: backupDays.map { time.addingTimeInterval(Double($0) * 86_400) },
                why: "they are replaced as a whole"),
        ]
        if keepsVersions {
            remains.append(
                DeletionReceipt.Remainder(
                    what: "earlier versions of records that the account no longer listed, such as an unlinked identity",
                    until: nil, why: "the bucket's lifecycle rules end them"))
        }
        if let trial = tombstone.trial {
            remains.append(
                DeletionReceipt.Remainder(
                    what: "a keyed hash of the identity that used a free trial",
                    until: trial.endsAt.addingTimeInterval(Trials.retention),
                    why: "one free trial for each identity"))
        }
        if !(tombstone.subscriptions ?? []).isEmpty {
            remains.append(
                DeletionReceipt.Remainder(
                    what: "App Store subscriptions without their owner", until: nil,
                    why: "Apple goes on sending notifications about them, and the buyer can use them again"))
        }
        return remains
    }

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}

/// The payload of a deletion receipt.
struct DeletionReceipt: Codable, Sendable, Equatable {
    /// What is not erased.
    struct Remainder: Codable, Sendable, Equatable {
        let what: String
        /// When it ends; omitted if it does not, or if the operator does not say.
        let until: Date?
        let why: String
    }

    /// Numbers of erased objects; zeros are omitted.
    struct Count: Codable, Sendable, Equatable {
        let objects: Int
        let versions: Int?
        let deleteMarkers: Int?
        let uploads: Int?
        let bytes: Int64?

        init(_ erased: ErasedObjects) {
            objects = erased.objects
            versions = erased.versions == 0 ? nil : erased.versions
            deleteMarkers = erased.deleteMarkers == 0 ? nil : erased.deleteMarkers
            uploads = erased.uploads == 0 ? nil : erased.uploads
            bytes = erased.bytes == 0 ? nil : erased.bytes
        }
    }

    /// The final state of the audit log.
    struct AuditLog: Codable, Sendable, Equatable {
        let entries: Int
        /// The hash of the last entry, which covers all others.
        let sha256: String
    }

    let iss: String
    /// The account.
    let sub: UserID
    let iat: Int
    let accountCreatedAt: Date
    let requestedAt: Date
    let requestedBy: AuditActor
    let erasureBegunAt: Date
    let completedAt: Date
    /// The number of times that the store was searched; the last found nothing.
    let rounds: Int
    /// By kind of personal data.
    let erased: [String: Count]
    /// The answers to the revocation of tokens, by provider.
    let providers: [String: ProviderRevocation]
    let auditLog: AuditLog
    let remains: [Remainder]
}
