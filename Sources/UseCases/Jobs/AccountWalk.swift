import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI

/// Runs jobs over all accounts.
struct AccountWalk: Sendable {
    let store: any ObjectStore
    let logger: Logger

    /// Runs a job for every account in turn while this instance holds the job's lease. A failure of one account is
    /// logged and does not stop the others.
    /// - Throws: an error if the accounts cannot be listed or the lease cannot be extended.
    func forEachAccount(
        _ job: SharedJob, holding lease: JobLease?, _ act: (UserID) async throws -> Void
    ) async throws(ServiceError) {
        var after: String?
        while let folder = try await nextAccount(after: after) {
            if let lease, try await mapServiceErrors({ try await !lease.renew() }) { return }
            after = "\(StorageLayout.accounts)\(folder)/\u{7f}"
            guard let user = UserID(folder) else { continue }
            do {
                try await act(user)
            } catch {
                guard !Task.isCancelled else { return }
                logger.error(
                    .jobFailedForAccount, "job failed for an account",
                    metadata: ["job": "\(job.rawValue)", "reason": "\(error)"])
            }
        }
    }

    private func nextAccount(after: String?) async throws(ServiceError) -> String? {
        let page = try await mapServiceErrors {
            try await store.list(prefix: StorageLayout.accounts, after: after, limit: 1)
        }
        guard let key = page.objects.first?.key.description.dropFirst(StorageLayout.accounts.count) else { return nil }
        return String(key.prefix { $0 != "/" })
    }
}
