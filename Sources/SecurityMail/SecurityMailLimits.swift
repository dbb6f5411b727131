import Accounts
import Foundation
import PhotolalaAPI
import Synchronization

/// How many e-mails of a kind an account gets in a day (UTC) from this instance, so that acts in a loop neither fill the
/// owner's mailbox nor cost the operator. Acts on one identity, and those on identities that were linked on the same day,
/// do not use up the e-mails about another identity.
final class SecurityMailLimits: Sendable {
    /// E-mails about sign-ins, and about identities that were linked on the same day.
    static let frequent = 10
    /// E-mails of another kind, for each identity.
    static let rare = 20
    /// The largest number of kinds that are counted, and of identities that are remembered.
    private static let capacity = 100_000

    enum Decision: Equatable {
        case allowed
        /// The last one of its kind today.
        case last
        case refused
    }

    private struct Key: Hashable {
        let user: UserID
        let kind: String
        let link: LinkID?
    }

    private struct State {
        var day = 0
        /// The sequences of the events, each of which may be sent several times.
        var counted: [Key: Set<Int>] = [:]
        /// The identities that were linked today.
        var linked: Set<LinkID> = []
    }

    private let state = Mutex(State())

    /// Counts an e-mail about an event, once, unless the limit refuses it.
    func consume(_ event: AccountEvent, at time: Date) -> Decision {
        state.withLock { state in
            let day = Int(time.timeIntervalSince1970 / 86_400)
            if state.day != day { state = State(day: day) }
            if event.type == .providerLinked, let link = event.link, state.linked.count < Self.capacity {
                state.linked.insert(link)
            }
            let (key, limit) = Self.key(event, isNew: event.link.map(state.linked.contains) ?? false)
            let counted = state.counted[key] ?? []
            if counted.contains(event.sequence) { return .allowed }
            guard counted.count < limit else { return .refused }
            if !counted.isEmpty || state.counted.count < Self.capacity {
                state.counted[key, default: []].insert(event.sequence)
            }
            return counted.count + 1 == limit ? .last : .allowed
        }
    }

    private static func key(_ event: AccountEvent, isNew: Bool) -> (Key, Int) {
        switch event.type {
        case .deviceAdded, .sessionReuseDetected:
            (Key(user: event.user, kind: event.type.rawValue, link: nil), frequent)
        case .providerLinked, .providerUnlinked, .providerUnlinkRequested, .providerUnlinkUndone, .providerReactivated:
            isNew
                ? (Key(user: event.user, kind: "new identity", link: nil), frequent)
                : (Key(user: event.user, kind: event.type.rawValue, link: event.link), rare)
        default: (Key(user: event.user, kind: event.type.rawValue, link: nil), rare)
        }
    }
}
