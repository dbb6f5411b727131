import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import Subscriptions

extension Services {
    /// Reconciles an account's subscriptions with their records and completes interrupted changes. One read for each
    /// subscription.
    func checkSubscriptions(of account: Stored<AccountDocument>) async throws(ServiceError) {
        for subscription in account.value.subscriptions ?? [] {
            guard let id = subscription.record,
                let record = try await mapServiceErrors({ try await subscriptions.records.record(id) })
            else { continue }
            if record.revision != subscription.revision {
                // Earlier previous owners are updated only here.
                try await reconciler.apply(record, of: account.value.serviceUserID)
                try await reconciler.reconcile(record)
            }
            if record.owner == account.value.serviceUserID { await reconciler.setAccountToken(record) }
        }
    }

    /// Fetches the notifications that this server missed since the last fetch from Apple's server and handles them.
    ///
    /// A notification that cannot be handled now does not stop the others: it is fetched again for three days.
    package func fetchMissedNotifications() async throws(ServiceError) {
        guard let server = subscriptions.server else { return }
        var failure: ServiceError?
        for environment in subscriptions.environments where environment.isApples {
            do throws(ServiceError) {
                try await fetchMissedNotifications(environment, from: server)
            } catch {
                logger.error(
                    "processing missed App Store notifications failed",
                    metadata: ["environment": "\(environment.rawValue)", "reason": "\(error)"])
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func fetchMissedNotifications(
        _ environment: AppStoreEnvironment, from server: any AppStoreServer
    ) async throws(ServiceError) {
        let until = now()
        let polls = NotificationPolls(store: store, retry: subscriptions.retry, environment: environment)
        let from = try await mapServiceErrors { try await polls.nextStart(before: until) }
        var (failure, failingFrom) = (ServiceError?.none, Date?.none)
        var (page, isAnswered) = (String?.none, false)
        repeat {
            let missed: MissedNotifications
            do {
                missed = try await server.missedNotifications(environment, from: from, to: until, page: page)
            } catch {
                throw .unavailable("App Store Server API: \(error)")
            }
            if let refusal = missed.refusal {
                (failure, failingFrom) = (.unavailable("App Store Server API: \(refusal)"), from)
            } else {
                isAnswered = true
            }
            for reason in missed.invalid {
                logger.error("invalid missed App Store notification", metadata: ["reason": "\(reason)"])
            }
            for notification in missed.notifications {
                do throws(ServiceError) {
                    try await apply(notification)
                } catch {
                    (failure, failingFrom) = (error, min(failingFrom ?? until, notification.signedAt.date))
                }
            }
            page = missed.next
            guard !Task.isCancelled else { return }
        } while page != nil
        // Without an answered page the position does not advance, so that a key that is repaired a week later still
        // gets all notifications.
        if let failure, !isAnswered { throw failure }
        let earliest = failingFrom
        try await mapServiceErrors { try await polls.recordEnd(until, failingFrom: earliest) }
        if let failure { throw failure }
    }
}
