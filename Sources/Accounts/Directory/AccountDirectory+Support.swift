import Foundation
import ObjectStorage
import PhotolalaAPI

/// Actions of an operator on an account. Each is recorded with the operator's reason.
extension AccountDirectory {
    /// Ends all sessions of an account, and removes pending links.
    package func endSessions(
        of account: Stored<AccountDocument>, reason: OperatorReason
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in
            document.endAllSessions()
            try document.audit.append(.init(action: .signedOutEverywhere, reason: reason, at: now()))
        }
    }

    /// Disables an account, unless it is disabled: ends all its sessions and removes pending links. Until it is enabled,
    /// sign-ins to it are refused.
    /// - Throws: `accountNotUsable` if the erasure has begun.
    package func disable(
        _ account: Stored<AccountDocument>, reason: OperatorReason
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in
            guard document.disabled == nil else { return }
            document.disabled = DisabledAccount(since: now(), reason: reason.text)
            document.endAllSessions()
            try document.audit.append(.init(action: .accountDisabled, reason: reason, at: now()))
        }
    }

    /// Enables a disabled account. The sessions that were ended stay ended.
    package func enable(
        _ account: Stored<AccountDocument>, reason: OperatorReason
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in
            guard document.disabled != nil else { return }
            document.disabled = nil
            try document.audit.append(.init(action: .accountEnabled, reason: reason, at: now()))
        }
    }

    /// Places a legal hold on an account, unless it has one: while the hold lasts, a deletion erases nothing.
    /// - Throws: `accountNotUsable` if the erasure has begun.
    package func placeHold(
        on account: Stored<AccountDocument>, reason: OperatorReason
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in
            guard document.legalHold == nil else { return }
            document.legalHold = LegalHold(since: now(), reason: reason.text)
            try document.audit.append(.init(action: .holdPlaced, reason: reason, at: now()))
        }
    }

    /// Releases the legal hold of an account, if it has one. The record of a scheduled deletion gets the date of the
    /// release, so that the deletion is not overdue at once.
    package func releaseHold(
        of account: Stored<AccountDocument>, reason: OperatorReason
    ) async throws(AccountError) -> Stored<AccountDocument> {
        if account.value.deletion != nil { try await deletions.schedule(account.value.serviceUserID, at: now()) }
        return try await change(account) { (document) throws(AccountError) in
            guard document.legalHold != nil else { return }
            document.legalHold = nil
            try document.audit.append(.init(action: .holdReleased, reason: reason, at: now()))
        }
    }

    /// Records that an operator exports an account.
    /// - Throws: `accountNotUsable` if the erasure has begun.
    package func recordExport(
        of account: Stored<AccountDocument>, reason: OperatorReason
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in
            try document.audit.append(.init(action: .accountExported, reason: reason, at: now()))
        }
    }

    /// Returns the account of an identity; `nil` if the identity is not linked. Unlike `lookUp`, it completes no
    /// interrupted operation, so it writes nothing. Two reads; three while identity bindings are re-keyed.
    package func linkedAccount(
        _ provider: ProviderName, _ subject: String
    ) async throws(AccountError) -> AccountDocument? {
        for key in try await manifestCache.resolver().keys(provider, subject).keys.reversed() {
            guard let binding = try await bindings.read(key)?.value,
                let account = try await account(binding.user)?.value, account.link(binding.link) != nil
            else { continue }
            return account
        }
        return nil
    }
}
