import Monitoring
import PhotolalaAPI

/// The outcome of an attempt to sign in, sign up or link, as a label of metrics.
enum AttemptOutcome: String, CaseIterable {
    case success
    /// The identity has no account yet.
    case unlinked
    /// Another account has the identity, or it has one already.
    case conflict
    /// The ID token, challenge or pending identity is invalid.
    case rejected
    /// The account's state or the caller's rank does not permit it.
    case refused
    /// A rate limit was exceeded.
    case limited
    /// The service, its store or a provider failed.
    case failed

    init(_ error: ServiceError) {
        self =
            switch error {
            case .noAccountFound: .unlinked
            case .accountAlreadyExists, .providerAlreadyLinked: .conflict
            case .invalidToken, .challengeRequired, .invalidChallenge, .invalidPendingIdentity, .unknownProvider,
                .invalidRequest:
                .rejected
            case .rateLimited, .overloaded: .limited
            case .unavailable, .clockIsBehind, .storeFault, .outOfSpace, .internal: .failed
            default: .refused
            }
    }
}

extension ServiceMetrics {
    func countSignIn(_ provider: ProviderName, _ outcome: AttemptOutcome) {
        increment(ServiceMetric.signIns, ["\(provider)", outcome.rawValue])
    }

    func countLink(_ provider: ProviderName, _ outcome: AttemptOutcome) {
        increment(ServiceMetric.links, ["\(provider)", outcome.rawValue])
        if outcome == .conflict { increment(ServiceMetric.identityConflicts) }
    }
}
