import ObjectStorage
import PhotolalaAPI

extension AccountDirectory {
    /// Returns a page of an account's audit log, newest first. One read per entry, a few at a time; lost entries are
    /// omitted.
    /// - Parameter before: only entries with a smaller sequence; at least 1.
    package func history(
        of account: AccountDocument, before: Int?, limit: Int
    ) async throws(AccountError) -> [AuditEntry] {
        try await audit.entries(of: account, before: before, limit: limit)
    }

    /// Walks an audit log from its end to its beginning and verifies it. One read per entry.
    package func walkHistory(
        of account: AccountDocument, _ visit: (AuditChainPosition) async throws(AccountError) -> Void
    ) async throws(AccountError) {
        try await audit.walk(account, visit)
    }

    /// Returns whether the end of the audit log has a valid seal of this service, which covers every entry before it.
    package func hasAuthenticAuditHead(_ account: AccountDocument) -> Bool {
        audit.sealing.verify(account.audit, of: account.serviceUserID) == .authentic
    }
}
