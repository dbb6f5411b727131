import Foundation
import PhotolalaAPI

/// The deletion of an account, from the request until its owner cancels it or the account document is removed.
package struct ScheduledDeletion: Codable, Sendable, Equatable {
    /// Identifies this deletion in its undo code.
    package let id: UUID
    package let requestedAt: Date
    /// Until when it can be cancelled.
    package let erasesAt: Date
    package let actor: AuditActor
}

extension AccountDocument {
    /// Schedules the deletion: ends all sessions and removes pending links. Sign-ins stay possible.
    /// - Parameter event: the audit entry.
    mutating func scheduleDeletion(
        _ id: UUID, at time: Date, undoPeriod: TimeInterval, _ event: AuditHead.Event
    ) throws(AccountError) {
        // Dates are stored in whole seconds.
        let time = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
        state = .deleting
        deletion = ScheduledDeletion(
            id: id, requestedAt: time, erasesAt: time.addingTimeInterval(undoPeriod), actor: event.actor)
        endAllSessions()
        try audit.append(event)
    }

    /// Ends all sessions, removes pending links, and drops a requested move of an identity. A move whose completion has
    /// begun is only resumed if its identity has left the other account.
    mutating func endAllSessions() {
        sessionEpoch += 1
        keptSessions = []
        if departure?.hasLeft == false { departure = nil }
        if arrival?.completion == nil { arrival = nil } else { arrival?.isStopped = true }
        for link in links where link.state == .pending && link.id != arrival?.link {
            setState(.removing, ofLink: link.id)
        }
    }
}
