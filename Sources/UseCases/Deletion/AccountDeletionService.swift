import Accounts
import Foundation
import PhotolalaAPI
import Secrets
import StorageAccess

/// Schedules and cancels the deletion of accounts, and shows its state.
package struct AccountDeletionService: Sendable {
    let accounts: AccountDirectory
    let codes: DeletionCodes
    let sensitiveActions: SensitiveActionPolicy
    let auditLog: DeviceAuditLog
    let usage: UsageCounts
    let tiers: Tiers

    /// Returns what a deletion of the caller's account removes, and the scheduled deletion. One read.
    package func overview(_ caller: Caller) async throws(ServiceError) -> DeletionOverview {
        try await overview(of: caller.account.value)
    }

    /// Schedules the deletion of the caller's account and ends all sessions, this one included. Requires recent
    /// authentication with an identity that is not new.
    /// - Throws: `accountDeleting` if it is scheduled already.
    package func schedule(
        _ request: PhotolalaAPI.DeletionRequest, caller: Caller
    ) async throws(ServiceError) -> DeletionOverview {
        guard request.confirmation == DeletionRequest.confirmationText else {
            throw .invalidRequest("confirmation must be \"\(DeletionRequest.confirmationText)\".")
        }
        try sensitiveActions.requireRecentAuthentication(caller, for: .deleteAccount)
        try await sensitiveActions.requireNoProtectedSession(from: caller)
        return try await mapServiceErrors {
            // Read before: afterwards the session is over, and the codes must not be lost by a failure.
            let count = try await usage.last(of: caller.user)
            let account = try await accounts.scheduleDeletion(
                of: caller.account, by: auditLog.actingSession(caller)
            ).value
            return try show(account, count)
        }
    }

    /// Cancels the scheduled deletion of the caller's account. Requires no recent authentication: cancelling removes
    /// nothing, and every session began after the deletion was scheduled.
    package func cancel(_ caller: Caller) async throws(ServiceError) -> DeletionOverview {
        try await mapServiceErrors {
            try await overview(
                of: accounts.cancelDeletion(of: caller.account, by: auditLog.actingSession(caller)).value)
        }
    }

    /// Cancels a scheduled deletion with its undo code.
    /// - Throws: `noDeletionScheduled` for a code that is not authentic, of another deletion, or too late.
    package func cancel(undoCode code: String) async throws(ServiceError) {
        guard let undo = codes.undo(code) else { throw .noDeletionScheduled }
        try await mapServiceErrors {
            guard let account = try await accounts.usableAccount(undo.user) else {
                throw ServiceError.noDeletionScheduled
            }
            do throws(AccountError) {
                _ = try await accounts.cancelDeletion(undo.deletion, of: account, by: nil)
            } catch .accountNotUsable {
                throw ServiceError.noDeletionScheduled
            }
        }
    }

    /// Returns the state of the deletion with this receipt code, and its receipt. At most two reads.
    /// - Throws: `notFound` for a code that is not authentic.
    package func status(receiptCode code: String) async throws(ServiceError) -> DeletionStatus {
        guard let user = codes.user(of: code, requestedBy: .owner) else { throw .notFound }
        return try await mapServiceErrors { try await accounts.deletionStatus(of: user) }
    }

    /// Opens the erasure key of the store, if there is one. Called at each start: see `ErasureKey.openIfStored`.
    package func openErasureKey() async throws(ServiceError) {
        try await mapServiceErrors { try await accounts.erasureKey.openIfStored() }
    }

    /// Refuses, from now on, sign-ins to accounts that were deleted before and that a backup brought back, and their sessions.
    package func refuseErasedAccounts() { accounts.erased.activate() }

    /// Reads the deleted accounts into memory: see `ErasureLedger.erasedAccounts`.
    package func readErasedAccounts() async throws(ServiceError) {
        try await mapServiceErrors { _ = try await accounts.erased.read() }
    }

    /// Returns the key set that verifies receipts.
    package func receiptKeys() async throws(ServiceError) -> String {
        try await mapServiceErrors { try await accounts.erasureKey.jsonWebKeySet() }
    }

    private func overview(of account: AccountDocument) async throws(ServiceError) -> DeletionOverview {
        try await mapServiceErrors { try show(account, try await usage.last(of: account.serviceUserID)) }
    }

    private func show(
        _ account: AccountDocument, _ count: UsageDocument?
    ) throws(SecretsError) -> DeletionOverview {
        var (receiptCode, undoCode) = (String?.none, String?.none)
        if let deletion = account.deletion {
            receiptCode = try codes.makeReceiptCode(for: account.serviceUserID, requestedBy: .owner)
            // A session can cancel without it. Its response may have been lost.
            undoCode = try codes.makeUndoCode(deletion.id, of: account.serviceUserID)
        }
        return DeletionOverview(
            deletion: account.shownDeletion, undoDays: Int(accounts.deletionUndoPeriod / 86_400),
            contents: UsageByKind(count?.kinds ?? [:], previews: count?.previews), countedAt: count?.countedAt,
            subscriptions: tiers.renewingSubscriptions(of: account), receiptCode: receiptCode,
            undoCode: undoCode)
    }
}

extension AccountDocument {
    /// The scheduled deletion, as its owner sees it.
    package var shownDeletion: AccountDeletion? {
        guard state == .deleting, let deletion else { return nil }
        return AccountDeletion(requestedAt: deletion.requestedAt, erasesAt: deletion.erasesAt)
    }
}

extension DeletionStatus {
    /// The same without the receipt.
    var withoutReceipt: DeletionStatus { DeletionStatus(state: state, erasesAt: erasesAt) }
}

extension AccountDirectory {
    /// Returns the state of the deletion of an account. One read, two if the account does not exist.
    func deletionStatus(of user: UserID) async throws(AccountError) -> DeletionStatus {
        if let account = try await account(user)?.value {
            switch account.state {
            case .deleting: return DeletionStatus(state: .scheduled, erasesAt: account.deletion?.erasesAt)
            case .deleted: return DeletionStatus(state: .erasing)
            case .active: return DeletionStatus(state: .active)
            case .abandoned: return DeletionStatus(state: .nothingStored)
            }
        }
        guard let entry = try await erasures.entry(of: user)?.value else {
            return DeletionStatus(state: .nothingStored)
        }
        guard entry.completedAt != nil else { return DeletionStatus(state: .erasing) }
        return DeletionStatus(state: .completed, receipt: try await erasures.receipt(in: entry, of: user))
    }
}
