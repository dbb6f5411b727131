import Accounts
import Foundation
import PhotolalaAPI

/// The body of a webhook.
struct WebhookPayload: Encodable {
    struct Details: Encodable {
        let serviceUserID: UserID
        let sequence: Int
        let actor: AuditActor
        let provider: ProviderName?
        let linkID: LinkID?
        let deviceID: DeviceID?
        let byDeviceID: DeviceID?
        let tier: Tier?
        let effectiveAt: Date?
    }

    let type: String
    /// The time of the recorded action, not of the delivery.
    let timestamp: Date
    let data: Details

    init(_ event: AccountEvent) {
        type = event.type.rawValue
        timestamp = event.at
        data = Details(
            serviceUserID: event.user, sequence: event.sequence, actor: event.actor, provider: event.provider,
            linkID: event.link, deviceID: event.device, byDeviceID: event.byDevice, tier: event.tier,
            effectiveAt: event.effectiveAt
        )
    }

    func bytes() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
