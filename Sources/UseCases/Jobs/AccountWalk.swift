import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI

/// Runs jobs over all accounts.
struct AccountWalk: Sendable {
    let store: any ObjectStore
    let logger: Logger

    /// How many accounts a job works on at once. A folder commits their changes together.
    private static let concurrency = 8

    /// Runs a job for every account in the order of their ids, while this instance holds the job's lease. A failure of
    /// one account is logged and does not stop the others. One listing for up to a thousand objects of the accounts.
    /// - Throws: an error if the accounts cannot be listed or the lease cannot be extended.
    func forEachAccount(
        _ job: SharedJob, holding lease: JobLease?, _ act: (UserID) async throws -> Void
    ) async throws(ServiceError) {
        var accounts = AccountListing(store: store, lease: lease)
        while !Task.isCancelled, let user = try await accounts.next() { await perform(job, user, act) }
    }

    /// Runs a job for every account, several at once.
    func forEachAccountConcurrently(
        _ job: SharedJob, holding lease: JobLease?, _ act: @escaping @Sendable (UserID) async throws -> Void
    ) async throws(ServiceError) {
        var accounts = AccountListing(store: store, lease: lease)
        var failure: ServiceError?
        await concurrentForEach(
            Self.concurrency,
            next: {
                do throws(ServiceError) {
                    return try await accounts.next()
                } catch {
                    failure = error
                    return nil
                }
            }
        ) { await perform(job, $0, act) }
        if let failure { throw failure }
    }

    private func perform(_ job: SharedJob, _ user: UserID, _ act: (UserID) async throws -> Void) async {
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

/// The ids of all accounts in their order, while this instance holds the job's lease.
private struct AccountListing {
    let store: any ObjectStore
    let lease: JobLease?
    private var objects: ArraySlice<ListedObject> = []
    private var folder = ""
    private var isComplete = false

    init(store: any ObjectStore, lease: JobLease?) {
        self.store = store
        self.lease = lease
    }

    mutating func next() async throws(ServiceError) -> UserID? {
        while true {
            while let object = objects.popFirst() {
                let next = String(object.key.description.dropFirst(StorageLayout.accounts.count).prefix { $0 != "/" })
                guard next != folder else { continue }
                folder = next
                if let lease, try await mapServiceErrors({ try await !lease.renew() }) { return nil }
                if let user = UserID(folder) { return user }
            }
            guard !isComplete else { return nil }
            // The rest of the last account's objects is not listed.
            let after = folder.isEmpty ? nil : "\(StorageLayout.accounts)\(folder)/\u{7f}"
            let page = try await mapServiceErrors {
                try await store.list(prefix: StorageLayout.accounts, after: after, limit: 1000)
            }
            objects = page.objects[...]
            isComplete = !page.isTruncated || page.objects.isEmpty
        }
    }
}
