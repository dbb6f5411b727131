import Foundation
import Monitoring
import PhotolalaAPI
import StorageAccess

/// An issuer of storage credentials whose requests are measured.
struct MeasuredCredentialIssuer: CredentialIssuer {
    private let issuer: any CredentialIssuer
    private let metrics: ServiceMetrics

    init(_ issuer: any CredentialIssuer, _ metrics: ServiceMetrics) { (self.issuer, self.metrics) = (issuer, metrics) }

    var endsWithSession: Bool { issuer.endsWithSession }
    var minimumLifetime: TimeInterval { issuer.minimumLifetime }

    func issue(_ grant: StorageGrant) async throws(CredentialIssuerError) -> StorageCredentials {
        let start = ContinuousClock.now
        do {
            let issued = try await issuer.issue(grant)
            record("success", since: start)
            return issued
        } catch {
            switch error {
            case .unavailable: record("unavailable", since: start)
            case .refused: record("refused", since: start)
            }
            throw error
        }
    }

    private func record(_ outcome: String, since start: ContinuousClock.Instant) {
        metrics.record(ServiceMetric.tokenServiceRequest, [outcome], ContinuousClock.now - start)
    }
}
