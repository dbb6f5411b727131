import Foundation
import PhotolalaClient

/// The identities of sign-ins that found no account. The session stores only the last one; these are all of this
/// visit, so that trying a second provider does not lose the first one's.
struct TriedIdentities {
    private var pending: [PendingIdentity] = []
    private(set) var providers: [ProviderName] = []
    private(set) var hints: [ProviderName] = []
    private var fullNames: [ProviderName: String] = [:]

    /// Records an attempt.
    mutating func add(_ provider: ProviderName, _ identity: PendingIdentity?, hints new: [ProviderName]) {
        providers.removeAll { $0 == provider }
        providers.append(provider)
        hints += new.filter { !hints.contains($0) }
        if let identity {
            pending.removeAll { $0.provider == provider }
            pending.append(
                PendingIdentity(value: identity.value, provider: provider, expiresAt: identity.expiresAt))
        }
    }

    /// Records the name that a provider gave with an identity.
    mutating func record(_ fullName: String?, of provider: ProviderName) {
        if let fullName { fullNames[provider] = fullName }
    }

    func fullName(of provider: ProviderName) -> String? { fullNames[provider] }

    mutating func remove(_ identity: PendingIdentity) { pending.removeAll { $0 == identity } }

    /// Returns the identity of a provider, unless it has expired.
    func identity(of provider: ProviderName, at now: Date) -> PendingIdentity? {
        valid(at: now).first { $0.provider == provider }
    }

    /// Returns the identity of the last attempt that has not expired.
    func last(at now: Date) -> PendingIdentity? { valid(at: now).last }

    private func valid(at now: Date) -> [PendingIdentity] {
        pending.filter { identity in identity.expiresAt.map { $0 > now } ?? true }
    }

    /// Returns the help after the last attempt.
    /// - Parameter offered: The providers of the app, in display order.
    func help(offered: [ProviderName]) -> NoAccountHelp? {
        guard let tried = providers.last else { return nil }
        let rank = { (provider: ProviderName) in
            if hints.contains(provider) { 0 } else if !providers.contains(provider) { 1 } else { 2 }
        }
        let others = offered.filter { $0 != tried }.enumerated()
            .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
        return NoAccountHelp(tried: tried, hints: hints.filter { $0 != tried }, others: others)
    }
}
