import Foundation
import PhotolalaAPI
import Synchronization

/// How many calls a minute there may be. Each is also how many may come at once; 0 sets no limit.
package struct CallRates: Sendable, Equatable {
    /// Of one client address under `/auth` and to providers and back; and as many of its calls elsewhere may be refused.
    package let address: Int
    /// With one proven identity, and in one session.
    package let identity: Int
    /// Of all clients there.
    package let total: Int
    /// In all sessions of one account together.
    package let account: Int
    /// Of one client address with a token or a session's cookie, where `address` does not count.
    package let signedInAddress: Int

    package init(address: Int, identity: Int, total: Int, account: Int = 0, signedInAddress: Int = 0) {
        self.address = address
        self.identity = identity
        self.total = total
        self.account = account
        self.signedInAddress = signedInAddress
    }

    /// No limits.
    package static let none = CallRates(address: 0, identity: 0, total: 0)
}

/// What a call of a session is for, where its account has no calls left.
package enum CallPurpose: Sendable {
    case general
    /// Protects the account from another session: lists and ends sessions, devices and identities, and what these acts
    /// need. Other sessions must not be able to keep the owner from it.
    case protection
}

/// Counts calls and says who has made too many. What a copy counts itself holds at once; what the others counted comes
/// with `SharedCallCounts`, so across copies a limit holds over minutes and not to the call.
package final class CallLimits: Sendable {
    /// Whether other copies are to hear of what is counted.
    package let areShared: Bool
    private let buckets: Mutex<CallBuckets>
    /// Calls that were refused where not all are counted; each copy's own.
    private let refusals: Mutex<CallBuckets>
    /// Calls with a token or a session's cookie, by address; each instance's own.
    private let signedIn: Mutex<CallBuckets>
    private let now: @Sendable () -> Date

    /// - Parameter areShared: whether other copies are to hear of what is counted; never without limits.
    package init(_ rates: CallRates, areShared: Bool, now: @escaping @Sendable () -> Date) {
        let areShared = areShared && rates != .none
        self.areShared = areShared
        buckets = Mutex(CallBuckets(rates, areShared: areShared))
        refusals = Mutex(CallBuckets(rates))
        signedIn = Mutex(CallBuckets(CallRates(address: rates.signedInAddress, identity: 0, total: 0)))
        self.now = now
    }

    /// Takes a call of a client's.
    /// - Throws: `rateLimited` for the client, `overloaded` when all clients together make too many.
    package func take(_ client: ClientParty) throws(FlowError) {
        let time = now()
        if let wait = buckets.withLock({ $0.take(client.party, in: client.site, at: time) }) {
            throw .rateLimited(retryAfter: wait)
        }
        if let wait = buckets.withLock({ $0.take(.everyone, at: time) }) { throw .overloaded(retryAfter: wait) }
    }

    /// Takes a call that comes with a token or a session's cookie, before either is looked at.
    package func takeSignedIn(_ client: ClientParty) throws(FlowError) {
        let time = now()
        if let wait = signedIn.withLock({ $0.take(client.party, in: client.site, at: time) }) {
            throw .rateLimited(retryAfter: wait)
        }
    }

    /// Whether a client was refused too often; takes no call.
    package func checkRefusals(_ client: ClientParty) throws(FlowError) {
        let time = now()
        if let wait = refusals.withLock({ $0.look(client.party, in: client.site, at: time) }) {
            throw .rateLimited(retryAfter: wait)
        }
    }

    /// Takes a client's call that was refused, where not all are counted.
    package func takeRefused(_ client: ClientParty) {
        let time = now()
        _ = refusals.withLock { $0.take(client.party, in: client.site, at: time) }
    }

    /// Takes a call with a proven identity.
    func take(_ provider: ProviderName, subject: String) throws(FlowError) {
        try take(CallParty(provider, subject: subject))
    }

    /// Takes a call in a session, before the store is asked whether the session stands.
    func take(_ session: SessionID) throws(FlowError) { try take(CallParty(session)) }

    /// Checks that an account has calls left for a session; consumes none, because the token may be of a session that is over.
    func check(_ user: UserID, in session: SessionID, for purpose: CallPurpose) throws(FlowError) {
        let time = now()
        let wait = buckets.withLock { buckets -> Int? in
            guard let wait = buckets.look(CallParty(user), at: time) else { return nil }
            return purpose == .general ? wait : buckets.look(CallParty(reserveOf: session), at: time)
        }
        if let wait { throw .rateLimited(retryAfter: wait) }
    }

    /// Consumes a call of an account, once its session is known to stand: a token of a session that is over must not use
    /// up its owner's calls. Where the account has none left, a call that protects it is one of the session's reserve.
    func consume(_ user: UserID, in session: SessionID, for purpose: CallPurpose) throws(FlowError) {
        let time = now()
        let wait = buckets.withLock { buckets -> Int? in
            guard let wait = buckets.take(CallParty(user), at: time) else { return nil }
            return purpose == .general ? wait : buckets.take(CallParty(reserveOf: session), at: time)
        }
        if let wait { throw .rateLimited(retryAfter: wait) }
    }

    /// Takes a hint that the owner of an address is to be given.
    func takeHint(for address: String) throws(FlowError) { try take(CallParty(hintFor: address)) }

    private func take(_ party: CallParty) throws(FlowError) {
        let time = now()
        if let wait = buckets.withLock({ $0.take(party, at: time) }) { throw .rateLimited(retryAfter: wait) }
    }

    /// What was counted since the last time, of those who are not far from their limits; the nearest first.
    func counted(most: Int) -> [CallParty: Int] {
        let (counts, rates) = buckets.withLock { ($0.takeCounts(), $0.rates) }
        let share = { (party: CallParty, count: Int) in Double(count) / party.capacity(rates) }
        // A sixtieth of a minute's calls in the ten seconds between two exchanges is a tenth of what is allowed.
        let near = counts.filter { $0.key.isRare || $0.value >= 2 && share($0.key, $0.value) >= 1.0 / 60 }
        guard near.count > most else { return near }
        let nearest = near.sorted { share($0.key, $0.value) > share($1.key, $1.value) }.prefix(most)
        return Dictionary(uniqueKeysWithValues: nearest.map { ($0.key, $0.value) })
    }

    /// Takes what other copies counted.
    func apply(_ counts: [CallParty: Int]) {
        let time = now()
        buckets.withLock { buckets in
            for (party, count) in counts { buckets.apply(count, to: party, at: time) }
        }
    }
}
