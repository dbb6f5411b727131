import PhotolalaAPI
import Subscriptions

extension Services {
    /// Handles an App Store notification. Duplicate, late and reordered deliveries change nothing more.
    ///
    /// One read and one write for the subscription's record, and the same for its account.
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
    func apply(_ notification: AppStoreNotification) async throws(ServiceError) {
        let effect = NotificationEffect(type: notification.type, subtype: notification.subtype)
        logger.info(
            "App Store notification",
            metadata: [
                "type": "\(notification.type)", "subtype": "\(notification.subtype ?? "")",
                "effect": "\(effect.rawValue)", "notification": "\(notification.id)",
            ])
        guard let id = notification.subscription else { return }
        let record = try await mapServiceErrors {
            try await subscriptions.records.apply(notification, of: id) { (token) async throws(SubscriptionError) in
                let user = UserID(uuid: token)
                return try await isDeleted(user) ? nil : user
            }
        }
        if let product = record.entitlement.productID, subscriptions.plan.tier(of: product) == nil {
            logger.error("purchased product has no tier", metadata: ["product": "\(product)"])
        }
        try await reconciler.reconcile(record)
    }
}
