import Foundation
import PhotolalaAPI

extension AccountReport {
    /// The report in short lines for people, without the audit entries. Each name has at most 8 characters and may
    /// occur several times.
    package var facts: [(name: String, value: String)] {
        var facts = logNames.sorted { $0.key < $1.key }.map { ("log name", "\($0.value), key \($0.key)") }
        facts.append(("created", createdAt.ISO8601Format()))
        let counted = bytesCountedAt.map { ", counted \($0.ISO8601Format())" } ?? ""
        facts.append(("tier", tier.rawValue + (storedBytes.map { ", \(Self.bytes($0)) stored\(counted)" } ?? "")))
        for link in links {
            facts.append(
                ("link", "\(link.provider) \(link.id), since \(link.linkedAt.ISO8601Format()), \(link.state.rawValue)"))
        }
        for device in devices {
            let session = device.isSignedIn ? "signed in" : "signed out"
            facts.append(
                ("device", "\(device.id) \(device.name), seen \(device.lastSeenAt.ISO8601Format()), \(session)"))
        }
        if let deletion {
            let times = "requested \(deletion.requestedAt.ISO8601Format()), erases \(deletion.erasesAt.ISO8601Format())"
            facts.append(("deletion", "\(times), by \(deletion.actor.rawValue)"))
        }
        if let disabled { facts.append(("disabled", "since \(disabled.since.ISO8601Format()): \(disabled.reason)")) }
        if let legalHold { facts.append(("hold", "since \(legalHold.since.ISO8601Format()): \(legalHold.reason)")) }
        if let arrival {
            let completion = arrival.needsSecondOperator ? "another operator completes it" : "proven by the person"
            facts.append(("arriving", "\(arrival.provider), link \(arrival.link) of account \(arrival.from)"))
            facts.append(("move", "\(arrival.move), requested by \(arrival.requestedBy), \(completion)"))
            facts.append(
                ("", "due \(arrival.effectiveAt.ISO8601Format()), ends \(arrival.expiresAt.ISO8601Format())"))
        }
        if let departure {
            facts.append(
                (
                    "leaving",
                    "link \(departure.link), move \(departure.move), due \(departure.effectiveAt.ISO8601Format())"
                ))
        }
        if let export {
            let times = "created \(export.createdAt.ISO8601Format()), until \(export.expiresAt.ISO8601Format())"
            facts.append(("export", "\(Self.bytes(export.size)), \(times), by device \(export.device)"))
        }
        for id in subscriptions { facts.append(("purchase", id)) }
        if pendingEvents > 0 { facts.append(("events", "\(pendingEvents) not delivered yet")) }
        return facts
    }

    private static func bytes(_ count: Int64) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}
