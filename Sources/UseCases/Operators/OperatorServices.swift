import Operators
import Sessions
import Subscriptions

/// The services behind the operator API and its console.
package struct OperatorServices: Sendable {
    package let calls: OperatorCalls
    package let inspection: AccountInspection
    package let lookup: IdentityLookup
    package let support: AccountSupport
    package let moves: IdentityMoves
    package let moveProofs: MoveProofs
    package let sharedLinks: SharedLinkSupport
    package let usage: UsageService
    package let export: OperatorExport
    package let subscriptions: SubscriptionRecords
    package let leases: JobLeases

    init(
        _ components: ServiceComponents, _ providers: ServiceProviders, _ shared: SharedServices,
        export: OperatorExport
    ) {
        calls = OperatorCalls(
            store: components.store, accounts: components.accounts, logger: components.logger)
        inspection = AccountInspection(
            accounts: components.accounts, devices: components.sessions.devices, tiers: shared.tiers,
            now: components.now)
        lookup = IdentityLookup(accounts: components.accounts, verifiers: providers.verifiers)
        support = AccountSupport(accounts: components.accounts, codes: components.deletionCodes)
        moves = IdentityMoves(
            accounts: components.accounts, providerTokens: components.providerTokens, calls: calls,
            logger: components.logger)
        moveProofs = MoveProofs(
            accounts: components.accounts, challenges: components.challenges, verifiers: providers.verifiers)
        sharedLinks = SharedLinkSupport(
            accounts: components.accounts, links: shared.sharedLinks.links, now: components.now)
        usage = shared.usage
        self.export = export
        subscriptions = components.subscriptions.records
        leases = components.leases
    }
}
