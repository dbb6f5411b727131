import Foundation
import Monitoring
import PhotolalaAPI
import Subscriptions

extension SubscriptionService {
    /// Handles an App Store notification. Duplicate, late and reordered deliveries change nothing more.
    ///
    /// One read and one write each for the subscription's record, its account and the account's audit log. One more
    /// write for an account that the record did not name before, and one more read unless it is the owner's.
    /// - Throws: `invalidNotification`; `unavailable` if Apple should send the notification again.
    package func handleAppStoreNotification(_ body: [UInt8]) async throws(ServiceError) {
        guard let verifier = subscriptions.verifier else { throw .notFound }
        let notification: AppStoreNotification
        do {
            notification = try await verifier.notification(body)
        } catch {
            if case .unavailable(let reason) = error { throw .unavailable(reason) }
            // The local clock may be behind. Apple retries after status 503 but not after 400.
            if error == .notCurrent { throw .unavailable("App Store notification dated in the future") }
            throw .invalidNotification(error)
        }
        try await apply(notification)
    }

    /// Handles a verified notification.
    private func apply(_ notification: AppStoreNotification) async throws(ServiceError) {
        let effect = NotificationEffect(type: notification.type, subtype: notification.subtype)
        logger.info(
            .appStoreNotification, "App Store notification",
            metadata: [
                "type": "\(notification.type)", "subtype": "\(notification.subtype ?? "")",
                "effect": "\(effect.rawValue)", "notification": "\(notification.id)",
            ])
        guard let id = notification.subscription else { return }
        let involved = InvolvedAccounts(accounts)
        let record = try await mapServiceErrors {
            try await subscriptions.records.apply(notification, of: id, in: involved)
        }
        if let product = record.entitlement.productID, subscriptions.plan.tier(of: product) == nil {
            logger.error(.productUnknown, "purchased product has no tier", metadata: ["product": "\(product)"])
        }
        try await reconciler.reconcileEntitlement(record, in: involved)
    }

    /// Fetches the notifications that this server missed since the last fetch from Apple's server and handles them.
    ///
    /// A notification that cannot be handled now does not stop the others: it is fetched again for three days.
    package func fetchMissedNotifications() async throws(ServiceError) {
        guard let server = subscriptions.server else { return }
        var failure: ServiceError?
        for environment in subscriptions.environments where environment.isOperatedByApple {
            do throws(ServiceError) {
                try await fetchMissedNotifications(environment, from: server)
            } catch {
                logger.error(
                    .missedNotificationsFailed, "processing missed App Store notifications failed",
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
                logger.error(
                    .notificationInvalid, "invalid missed App Store notification", metadata: ["reason": "\(reason)"])
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
