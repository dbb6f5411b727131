import ObjectStorage
import PhotolalaAPI

extension AccountDirectory {
    /// A page of an account's chain, the newest first. A read for each entry, a few at a time; entries that are lost are
    /// left out.
    /// - Parameter before: only entries with a smaller sequence; at least 1.
    package func history(
        of account: AccountDocument, before: Int?, limit: Int
    ) async throws(AccountError) -> [AuditEntry] {
        try await audit.entries(of: account, before: before, limit: limit)
    }

    /// Walks a chain from its end to its beginning and proves it: one read for each entry.
    package func walkHistory(
        of account: AccountDocument, _ visit: (AuditStep) async throws(AccountError) -> Void
    ) async throws(AccountError) {
        try await audit.walk(account, visit)
    }

    /// Whether the end of a chain is provably the service's own, and with it each entry that it names.
    package func isProven(_ account: AccountDocument) -> Bool {
        audit.sealing.check(account.audit, of: account.serviceUserID) == .proven
    }
}
