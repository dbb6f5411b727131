import ObjectStorage
import Subscriptions

/// What flows about tiers and purchases need.
package struct SubscriptionServices: Sendable {
    package let plan: TierPlan
    /// What who signs up gets for a while; `nil` where that is nothing.
    package let trial: TrialOffer?
    package let trials: Trials
    package let records: SubscriptionRecords
    package let moveTickets: MoveTickets
    /// Who reads what Apple signed; `nil` where no purchases are taken.
    package let verifier: (any SignedDataVerifier)?
    /// Apple's server; `nil` where there is no key for it.
    package let server: (any AppStoreServer)?
    /// Of small writes of the service's own.
    package let retry: RetryPolicy
    /// Where purchases may be made.
    package let environments: [AppStoreEnvironment]

    package init(
        plan: TierPlan, trial: TrialOffer?, trials: Trials, records: SubscriptionRecords, moveTickets: MoveTickets,
        verifier: (any SignedDataVerifier)?, server: (any AppStoreServer)?, environments: [AppStoreEnvironment],
        retry: RetryPolicy
    ) {
        self.plan = plan
        self.trial = trial
        self.trials = trials
        self.records = records
        self.moveTickets = moveTickets
        self.verifier = verifier
        self.server = server
        self.environments = environments
        self.retry = retry
    }
}
