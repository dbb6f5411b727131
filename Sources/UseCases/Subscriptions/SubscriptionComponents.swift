import Foundation
import ObjectStorage
import Secrets
import Subscriptions

/// The building blocks of the services for tiers and purchases. A class, because several services hold it: a copy would
/// be 600 bytes.
package final class SubscriptionComponents: Sendable {
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
        plan: TierPlan, trial: TrialOffer?, verifier: (any SignedDataVerifier)?, server: (any AppStoreServer)?,
        environments: [AppStoreEnvironment], store: any ObjectStore, keyRing: KeyRing, retry: RetryPolicy,
        now: @escaping @Sendable () -> Date, randomness: Randomness
    ) {
        self.plan = plan
        self.trial = trial
        self.verifier = verifier
        self.server = server
        self.environments = environments
        self.retry = retry
        trials = Trials(store: store, retry: retry, keyRing: keyRing, now: now)
        records = SubscriptionRecords(store: store, retry: retry, now: now)
        moveTickets = MoveTickets(keyRing: keyRing, now: now, randomness: randomness)
    }
}
