import Accounts
import Foundation
import PhotolalaAPI

/// One audit event and its state in the chain.
package struct AuditLine: Encodable, Sendable {
    package private(set) var sequence: Int?
    /// `nil` for an entry that was not verified.
    package private(set) var state: String?
    package private(set) var at: Date?
    package private(set) var act: AuditAction?
    package private(set) var actor: AuditActor?
    package private(set) var provider: ProviderName?
    package private(set) var linkID: LinkID?
    package private(set) var deviceID: DeviceID?
    package private(set) var targetDeviceID: DeviceID?
    package private(set) var reason: String?

    /// The event in one line for people.
    package var summary: String {
        let number = sequence.map { String($0) } ?? "-"
        guard let act, let at else { return "\(number)  \(state ?? "")" }
        let facts = [
            provider.map { "provider \($0)" }, linkID.map { "link \($0)" }, deviceID.map { "device \($0)" },
            targetDeviceID.map { "target \($0)" }, reason.map { "reason: \($0)" },
        ].compactMap(\.self)
        let head = "\(number)  \(at.ISO8601Format())  \(act)  by \(actor?.rawValue ?? "?")"
        return ([head] + facts + [state].compactMap(\.self)).joined(separator: "  ")
    }
}

extension AuditLine {
    /// Creates the line for an event that is still pending in its device's record.
    package init(_ event: DeviceAuditEvent) {
        self.init(
            state: "with_device", at: event.at, act: event.action, actor: event.actor, provider: event.provider,
            linkID: event.link,
            deviceID: event.device, targetDeviceID: event.target
        )
    }

    /// Creates the line for a position in the chain.
    package init(_ step: AuditChainPosition) { self.init(step.sequence, step.entry, state: step.state.rawValue) }

    /// Creates the line for an entry that is not verified.
    package init(_ entry: AuditEntry) { self.init(entry.sequence, entry, state: nil) }

    private init(_ sequence: Int, _ entry: AuditEntry?, state: String?) {
        self.init(
            sequence: sequence, state: state, at: entry?.at, act: entry?.act, actor: entry?.actor,
            provider: entry?.provider, linkID: entry?.link, deviceID: entry?.device, targetDeviceID: entry?.target,
            reason: entry?.reason
        )
    }
}
