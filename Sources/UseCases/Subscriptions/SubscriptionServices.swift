import ObjectStorage
import Subscriptions

/// The dependencies of use cases for tiers and purchases.
package struct SubscriptionServices: Sendable {
    package let plan: TierPlan
    /// The trial for new accounts; `nil` if there is none.
    package let trial: TrialOffer?
    package let trials: Trials
    package let records: SubscriptionRecords
    package let moveTickets: MoveTickets
    /// Verifies data that Apple signed; `nil` if this deployment does not accept purchases.
    package let verifier: (any SignedDataVerifier)?
    /// Apple's server; `nil` if no key for it is configured.
    package let server: (any AppStoreServer)?
    /// The retry policy for small writes of the service.
    package let retry: RetryPolicy
    /// The App Store environments in which purchases are accepted.
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
