import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI

/// Runs jobs over all accounts.
struct AccountWalk: Sendable {
    let store: any ObjectStore
    let logger: Logger

    /// Runs a job for every account in the order of their ids, while this instance holds the job's lease. A failure of
    /// one account is logged and does not stop the others. One listing for up to a thousand objects of the accounts.
    /// - Throws: an error if the accounts cannot be listed or the lease cannot be extended.
    func forEachAccount(
        _ job: SharedJob, holding lease: JobLease?, _ act: (UserID) async throws -> Void
    ) async throws(ServiceError) {
        var after: String?
        var folder = ""
        repeat {
            let start = after
            let page = try await mapServiceErrors {
                try await store.list(prefix: StorageLayout.accounts, after: start, limit: 1000)
            }
            for object in page.objects {
                let next = String(object.key.description.dropFirst(StorageLayout.accounts.count).prefix { $0 != "/" })
                guard next != folder else { continue }
                folder = next
                if let lease, try await mapServiceErrors({ try await !lease.renew() }) { return }
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
            // The rest of the last account's objects is not listed.
            after = page.isTruncated && !page.objects.isEmpty ? "\(StorageLayout.accounts)\(folder)/\u{7f}" : nil
        } while after != nil
    }
}
