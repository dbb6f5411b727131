import Accounts
import Foundation
import PhotolalaAPI
import Sessions

/// An account as `account show` prints it. It contains no subject and no e-mail address.
struct AccountReport: Encodable {
    struct Link: Encodable {
        let provider: ProviderName
        let id: LinkID
        let linkedAt: Date
        let state: LinkState
    }

    struct Device: Encodable {
        let id: DeviceID
        let name: String
        let lastSeenAt: Date
        let isSignedIn: Bool
    }

    struct Deletion: Encodable {
        let requestedAt: Date
        let erasesAt: Date
        let actor: AuditActor
    }

    struct Export: Encodable {
        let createdAt: Date
        let expiresAt: Date
        let size: Int64
        let device: DeviceID
    }

    let account: UserID
    let state: String
    let createdAt: Date
    let tier: Tier
    let storedBytes: Int64?
    let bytesCountedAt: Date?
    /// In linking order.
    let links: [Link]
    /// The most recently seen first.
    let devices: [Device]
    let deletion: Deletion?
    let legalHold: LegalHold?
    let export: Export?
    /// The last audit entries, newest first.
    let audit: [AuditReport.Line]

    /// - Parameters:
    ///   - tier: the current tier.
    ///   - entries: the audit entries to show, newest first.
    init(_ document: AccountDocument, tier: Tier, devices: [DeviceRecord], entries: [AuditEntry], at time: Date) {
        account = document.serviceUserID
        state = document.state.rawValue
        createdAt = document.createdAt
        self.tier = tier
        storedBytes = document.storedBytes
        bytesCountedAt = document.bytesCountedAt
        links = document.links.map { Link(provider: $0.provider, id: $0.id, linkedAt: $0.linkedAt, state: $0.state) }
        self.devices = devices.filter { $0.removedAt == nil }.map { record in
            Device(
                id: record.id, name: record.name, lastSeenAt: record.lastSeenAt,
                isSignedIn: record.session.map { document.isValid($0, at: time) } ?? false)
        }.sorted { ($1.lastSeenAt, "\($0.id)") < ($0.lastSeenAt, "\($1.id)") }
        deletion = document.deletion.map {
            Deletion(requestedAt: $0.requestedAt, erasesAt: $0.erasesAt, actor: $0.actor)
        }
        legalHold = document.legalHold
        export = document.export.flatMap { export in
            guard export.expiresAt > time else { return nil }
            return Export(
                createdAt: export.createdAt, expiresAt: export.expiresAt, size: export.size, device: export.device)
        }
        audit = entries.map { AuditReport.Line($0) }
    }

    var text: String {
        var lines = ["account \(account), \(state)"]
        func add(_ name: String, _ text: String) {
            lines.append("  \(name.padding(toLength: 9, withPad: " ", startingAt: 0))  \(text)")
        }
        add("created", createdAt.ISO8601Format())
        let counted = bytesCountedAt.map { ", counted \($0.ISO8601Format())" } ?? ""
        add("tier", tier.rawValue + (storedBytes.map { ", \(Counted.text(Int($0), "byte")) stored\(counted)" } ?? ""))
        for link in links {
            add("link", "\(link.provider) \(link.id), since \(link.linkedAt.ISO8601Format()), \(link.state.rawValue)")
        }
        for device in devices {
            let session = device.isSignedIn ? "signed in" : "signed out"
            add("device", "\(device.id) \(device.name), seen \(device.lastSeenAt.ISO8601Format()), \(session)")
        }
        if let deletion {
            let times = "requested \(deletion.requestedAt.ISO8601Format()), erases \(deletion.erasesAt.ISO8601Format())"
            add("deletion", "\(times), by \(deletion.actor.rawValue)")
        }
        if let legalHold { add("hold", "since \(legalHold.since.ISO8601Format()): \(legalHold.reason)") }
        if let export {
            let times = "created \(export.createdAt.ISO8601Format()), until \(export.expiresAt.ISO8601Format())"
            add("export", "\(Counted.text(Int(export.size), "byte")), \(times), by device \(export.device)")
        }
        let report = AuditReport(isJSON: false)
        for line in audit { add("audit", report.line(line)) }
        return lines.joined(separator: "\n")
    }
}

extension AccountDocument {
    /// Returns whether a session may call the service.
    fileprivate func isValid(_ session: SessionRecord, at time: Date) -> Bool {
        session.epoch == sessionEpoch && session.expiresAt > time
            && isSessionValid(session.id, of: session.link, startedAt: session.startedAt, at: time)
    }
}
