import Monitoring
import PhotolalaAPI

/// The outcome of an attempt to sign in, sign up or link, as a label of metrics.
enum AttemptOutcome: String, CaseIterable {
    case success
    /// The person cancelled at the provider.
    case cancelled
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
    /// The label of an identity whose provider is sealed in a pending identity.
    private static let pending = "pending"

    /// Creates the series whose labels are known, so that the first increments after a start are increases.
    package func prepare(providers: [ProviderName]) {
        for provider in providers.map({ "\($0)" }) + [Self.pending] {
            for outcome in AttemptOutcome.allCases.map(\.rawValue) {
                increment(ServiceMetric.signIns, [provider, outcome], by: 0)
                increment(ServiceMetric.links, [provider, outcome], by: 0)
            }
            increment(ServiceMetric.accountsCreated, [provider], by: 0)
        }
        for limit in RateLimiter.Limit.allCases { increment(ServiceMetric.rateLimited, [limit.rawValue], by: 0) }
        for access in StorageAccessLevel.allCases {
            increment(ServiceMetric.credentialsIssued, [access.rawValue], by: 0)
        }
        for metric in [
            ServiceMetric.identityConflicts, ServiceMetric.refreshReuse, ServiceMetric.quotaRefusals,
            ServiceMetric.uploadedBytes, ServiceMetric.downloadedBytes, ServiceMetric.storeConflicts,
        ] { increment(metric, by: 0) }
    }

    /// Performs an attempt to sign in or sign up, and counts its outcome.
    /// - Parameter provider: `nil` for a pending identity.
    func countingSignIn<Value>(
        _ provider: ProviderName?, _ attempt: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        do {
            let value = try await attempt()
            countSignIn(provider, .success)
            return value
        } catch {
            countSignIn(provider, AttemptOutcome(error))
            throw error
        }
    }

    /// Performs an attempt to link, and counts its outcome.
    func countingLink<Value>(
        _ provider: ProviderName?, _ attempt: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        do {
            let value = try await attempt()
            countLink(provider, .success)
            return value
        } catch {
            countLink(provider, AttemptOutcome(error))
            throw error
        }
    }

    func countSignIn(_ provider: ProviderName?, _ outcome: AttemptOutcome) {
        increment(ServiceMetric.signIns, [provider.map { "\($0)" } ?? Self.pending, outcome.rawValue])
        if outcome == .conflict { increment(ServiceMetric.identityConflicts) }
    }

    func countLink(_ provider: ProviderName?, _ outcome: AttemptOutcome) {
        increment(ServiceMetric.links, [provider.map { "\($0)" } ?? Self.pending, outcome.rawValue])
        if outcome == .conflict { increment(ServiceMetric.identityConflicts) }
    }
}
