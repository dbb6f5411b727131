/// The meaning of a notification, by type and subtype, for people who read the record. The entitlement is derived only
/// from signed transactions and renewal information, never from this. `docs/subscriptions.md` has the table.
package enum NotificationEffect: String, Codable, Sendable {
    /// A period started or continues: purchase, renewal, upgrade, extension, reversed refund.
    case grants
    /// The service continues for a while without payment.
    case grace
    /// Nothing changes before the end of the period.
    case atRenewal
    /// The period ended or was revoked.
    case ends
    /// Nothing changes.
    case none
    /// A type that this version does not know.
    case unknown

    package init(type: String, subtype: String?) {
        switch (type, subtype) {
        case ("SUBSCRIBED", _), ("OFFER_REDEEMED", _), ("DID_RENEW", _), ("REFUND_REVERSED", _),
            ("RENEWAL_EXTENDED", _), ("DID_CHANGE_RENEWAL_PREF", "UPGRADE"):
            self = .grants
        case ("DID_FAIL_TO_RENEW", "GRACE_PERIOD"): self = .grace
        case ("DID_CHANGE_RENEWAL_PREF", _), ("DID_CHANGE_RENEWAL_STATUS", _), ("DID_FAIL_TO_RENEW", _),
            ("PRICE_INCREASE", _), ("PRICE_CHANGE", _):
            self = .atRenewal
        case ("EXPIRED", _), ("GRACE_PERIOD_EXPIRED", _), ("REFUND", _), ("REVOKE", _): self = .ends
        case ("CONSUMPTION_REQUEST", _), ("REFUND_DECLINED", _), ("RENEWAL_EXTENSION", _), ("TEST", _),
            ("EXTERNAL_PURCHASE_TOKEN", _), ("ONE_TIME_CHARGE", _), ("RESCIND_CONSENT", _), ("METADATA_UPDATE", _),
            ("MIGRATION", _):
            self = .none
        default: self = .unknown
        }
    }
}
