import Foundation
import ObjectStorage
import PhotolalaAPI

/// Records what happens to the shared links of accounts.
extension AccountDirectory {
    /// Records an act of the owner on a shared link.
    /// - Throws: `sessionEnded`, and then nothing is recorded.
    package func recordSharedLink(
        _ action: AuditAction, of account: Stored<AccountDocument>, by session: ActingSession
    ) async throws(AccountError) {
        _ = try await change(account, by: session) { (document) throws(AccountError) in
            try document.requireValid(session, at: now())
            try document.audit.append(.init(action: action, device: session.device, at: now()))
        }
    }

    /// Records an operator's act on a shared link.
    /// - Throws: `accountNotUsable` if the erasure has begun.
    package func recordSharedLink(
        _ action: AuditAction, of account: Stored<AccountDocument>, reason: OperatorReason
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account) { (document) throws(AccountError) in
            try document.audit.append(.init(action: action, reason: reason, at: now()))
        }
    }
}
