import Accounts
import PhotolalaAPI
import Subscriptions

extension Services {
    /// Takes in a notification of the App Store's. Sent twice, late or in another order, it changes nothing more.
    ///
    /// A read and a write for the subscription's record, and the same for the account that has it.
    /// - Throws: `invalidNotification`; `unavailable` for what should be sent again.
    package func hearAppStore(_ body: [UInt8]) async throws(FlowError) {
        guard let verifier = subscriptions.verifier else { throw .notFound }
        let notification: AppStoreNotification
        do {
            notification = try await verifier.notification(body)
        } catch {
            if case .unavailable(let reason) = error { throw .unavailable(reason) }
            // Our clock may be behind: Apple sends again what is 503, and not what is 400.
            if error == .notCurrent { throw .unavailable("a notification of the future") }
            throw .invalidNotification(error)
        }
        try await take(notification)
    }

    /// Takes in a verified notification.
    func take(_ notification: AppStoreNotification) async throws(FlowError) {
        let effect = NotificationEffect(type: notification.type, subtype: notification.subtype)
        logger.info(
            "a notification of the App Store's",
            metadata: [
                "type": "\(notification.type)", "subtype": "\(notification.subtype ?? "")",
                "effect": "\(effect.rawValue)", "notification": "\(notification.id)",
            ])
        guard let id = notification.subscription else { return }
        let record = try await step {
            try await subscriptions.records.take(notification, of: id) { (token) async throws(SubscriptionError) in
                let user = UserID(uuid: token)
                return try await isGone(user) ? nil : user
            }
        }
        if let product = record.entitlement.productID, subscriptions.plan.tier(of: product) == nil {
            logger.error("a product was bought that gives no tier", metadata: ["product": "\(product)"])
        }
        try await settlement.settle(record)
    }
}
