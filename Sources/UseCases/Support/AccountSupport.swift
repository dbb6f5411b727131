import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

/// An operator's actions on an account, each with a reason that its audit log records.
package struct AccountSupport: Sendable {
    let accounts: AccountDirectory
    let codes: DeletionCodes

    package init(accounts: AccountDirectory, codes: DeletionCodes) {
        self.accounts = accounts
        self.codes = codes
    }

    /// Why an action was refused. Nothing was changed.
    package enum Refusal: Error, Equatable {
        case notFound
        /// The sign-up was never finished.
        case unfinished
        /// The period for cancelling the deletion is over, and the data is being erased.
        case erasing
        case deletionScheduled
        case noDeletionScheduled
        case held(since: Date)
        case notHeld
        /// Its last identity was moved to another account, so that no one could sign in to it.
        case noIdentity
        case disabled(since: Date)
        case notDisabled
    }

    /// A deletion that an operator scheduled.
    package struct ScheduledBySupport: Sendable, Equatable {
        package let erasesAt: Date
        /// Whether the account is disabled, so that its owner cannot sign in and cancel the deletion.
        package let isDisabled: Bool
        /// Shows the state of the deletion and its receipt, without a session.
        package let receiptCode: String
    }

    /// Ends all sessions of an account.
    package func endSessions(of user: UserID, reason: OperatorReason) async throws {
        try await act(on: user) { account in
            try await accounts.endSessions(of: account, reason: reason)
        }
    }

    /// Disables an account: ends all its sessions, and refuses sign-ins until it is enabled.
    package func disable(_ user: UserID, reason: OperatorReason) async throws {
        try await act(on: user) { account in
            if let disabled = account.value.disabled { throw Refusal.disabled(since: disabled.since) }
            return try await accounts.disable(account, reason: reason)
        }
    }

    /// Enables a disabled account. The sessions that were ended stay ended.
    package func enable(_ user: UserID, reason: OperatorReason) async throws {
        try await act(on: user) { account in
            guard account.value.disabled != nil else { throw Refusal.notDisabled }
            return try await accounts.enable(account, reason: reason)
        }
    }

    /// Schedules the deletion of an account, which its owner can cancel as if they had requested it, unless the account is
    /// disabled.
    package func scheduleDeletion(of user: UserID, reason: OperatorReason) async throws -> ScheduledBySupport {
        let account = try await act(on: user) { account in
            // Scheduling dates the record anew before it reads the account's state.
            guard account.value.state == .active else { throw Refusal.deletionScheduled }
            return try await accounts.scheduleDeletion(of: account, by: nil, support: reason)
        }
        guard let deletion = account.deletion else { throw Refusal.noDeletionScheduled }
        return ScheduledBySupport(
            erasesAt: deletion.erasesAt, isDisabled: account.disabled != nil,
            receiptCode: try codes.makeReceiptCode(for: user, requestedBy: .owner))
    }

    /// Cancels the scheduled deletion of an account. The sessions that it ended stay ended.
    package func cancelDeletion(of user: UserID, reason: OperatorReason) async throws {
        try await act(on: user) { account in
            try await accounts.cancelDeletion(of: account, by: nil, support: reason)
        }
    }

    /// Places a legal hold on an account.
    package func placeHold(on user: UserID, reason: OperatorReason) async throws {
        try await act(on: user) { account in
            if let hold = account.value.legalHold { throw Refusal.held(since: hold.since) }
            return try await accounts.placeHold(on: account, reason: reason)
        }
    }

    /// Releases the legal hold of an account.
    /// - Returns: when a scheduled deletion erases the account's data; `nil` if none is scheduled.
    package func releaseHold(of user: UserID, reason: OperatorReason) async throws -> Date? {
        try await act(on: user) { account in
            guard account.value.legalHold != nil else { throw Refusal.notHeld }
            return try await accounts.releaseHold(of: account, reason: reason)
        }.deletion?.erasesAt
    }

    /// Records that an operator exports an account.
    func recordExport(of user: UserID, reason: OperatorReason) async throws -> AccountDocument {
        try await act(on: user) { account in
            try await accounts.recordExport(of: account, reason: reason)
        }
    }

    /// - Throws: `Refusal` if there is no such account, or its erasure has begun.
    package func requireUsable(_ user: UserID) async throws { try await act(on: user) { $0 } }

    @discardableResult
    private func act(
        on user: UserID, _ body: (Stored<AccountDocument>) async throws -> Stored<AccountDocument>
    ) async throws -> AccountDocument {
        guard let account = try await accounts.account(user) else { throw Refusal.notFound }
        switch account.value.state {
        case .active, .deleting: break
        case .deleted: throw Refusal.erasing
        case .abandoned: throw Refusal.unfinished
        }
        // A hold, for example, would keep an account that a backup brought back from being erased again.
        guard try await !accounts.isErased(account.value) else { throw Refusal.erasing }
        do {
            return try await body(account).value
        } catch AccountError.accountNotUsable {
            throw Refusal.erasing
        } catch AccountError.deletionScheduled {
            throw Refusal.deletionScheduled
        } catch AccountError.lastProvider {
            throw Refusal.noIdentity
        } catch AccountError.noDeletionScheduled {
            throw Refusal.noDeletionScheduled
        }
    }
}
