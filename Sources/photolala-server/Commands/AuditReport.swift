import Accounts
import Foundation
import PhotolalaAPI

/// Formats an account's audit log as text or JSON lines.
struct AuditReport {
    let isJSON: Bool

    /// One audit event and its state in the chain.
    struct Line: Encodable {
        var sequence: Int?
        /// `nil` for an entry that was not verified.
        var state: String?
        var at: Date?
        var act: AuditAction?
        var actor: AuditActor?
        var provider: ProviderName?
        var linkID: LinkID?
        var deviceID: DeviceID?
        var targetDeviceID: DeviceID?
        var reason: String?
    }

    /// The result of the verification.
    struct Verdict: Encodable {
        let account: UserID
        let entries: Int
        /// Whether the end of the chain is sealed by this service with a configured key.
        let isProven: Bool
        /// The number of entries that are lost or altered or that state that earlier ones failed verification.
        var troubles = 0

        var isIntact: Bool { isProven && troubles == 0 }
    }

    func line(_ line: Line) -> String {
        guard !isJSON else { return encode(line) }
        let number = line.sequence.map { String($0) } ?? "-"
        guard let act = line.act, let at = line.at else { return "\(number)  \(line.state ?? "")" }
        let facts = [
            line.provider.map { "provider \($0)" }, line.linkID.map { "link \($0)" },
            line.deviceID.map { "device \($0)" }, line.targetDeviceID.map { "target \($0)" },
            line.reason.map { "reason: \($0)" },
        ].compactMap(\.self)
        let head = "\(number)  \(at.ISO8601Format())  \(act)  by \(line.actor?.rawValue ?? "?")"
        return ([head] + facts + [line.state].compactMap(\.self)).joined(separator: "  ")
    }

    func line(_ verdict: Verdict) -> String {
        guard !isJSON else { return encode(verdict) }
        let entries = Counted.text(verdict.entries, "entry", plural: "entries")
        guard !verdict.isIntact else { return "\(entries): the audit log is intact" }
        let seal = verdict.isProven ? "" : "; the end of the audit log cannot be verified"
        return "\(entries), \(verdict.troubles) of them with problems\(seal)"
    }

    private func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

extension AuditReport.Line {
    /// Creates the line for an event that is still pending in its device's record.
    init(_ event: DeviceAuditEvent) {
        self.init(
            state: "with_device", at: event.at, act: event.action, actor: event.actor, provider: event.provider,
            linkID: event.link,
            deviceID: event.device, targetDeviceID: event.target
        )
    }

    /// Creates the line for a position in the chain.
    init(_ step: AuditChainPosition) { self.init(step.sequence, step.entry, state: step.state.rawValue) }

    /// Creates the line for an entry that is not verified.
    init(_ entry: AuditEntry) { self.init(entry.sequence, entry, state: nil) }

    private init(_ sequence: Int, _ entry: AuditEntry?, state: String?) {
        self.init(
            sequence: sequence, state: state, at: entry?.at, act: entry?.act, actor: entry?.actor,
            provider: entry?.provider, linkID: entry?.link, deviceID: entry?.device, targetDeviceID: entry?.target,
            reason: entry?.reason
        )
    }
}
