/// What a notification is about, by its type and subtype. The entitlement itself is made from the signed transaction and
/// renewal information, never from this: it is for who reads the record. `docs/subscriptions.md` has the table.
package enum NotificationEffect: String, Codable, Sendable {
    /// A period began or goes on: bought, renewed, upgraded, extended, given back.
    case grants
    /// What is served goes on for a while without being paid.
    case grace
    /// Nothing changes before the period's end.
    case atRenewal
    /// The period is over, or was taken back.
    case ends
    /// Nothing changes.
    case none
    /// A type that is newer than this version.
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
