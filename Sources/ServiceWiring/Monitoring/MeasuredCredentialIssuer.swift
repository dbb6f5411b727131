import Foundation
import Monitoring
import PhotolalaAPI
import StorageAccess
import Traces

/// An issuer of storage credentials whose requests are measured.
struct MeasuredCredentialIssuer: CredentialIssuer {
    private let issuer: any CredentialIssuer
    private let metrics: ServiceMetrics
    private let tracer: ServiceTracer?

    init(_ issuer: any CredentialIssuer, _ metrics: ServiceMetrics, _ tracer: ServiceTracer?) {
        (self.issuer, self.metrics, self.tracer) = (issuer, metrics, tracer)
    }

    var endsWithSession: Bool { issuer.endsWithSession }
    var minimumLifetime: TimeInterval { issuer.minimumLifetime }
    var maximumUploadLifetime: TimeInterval { issuer.maximumUploadLifetime }

    func issue(_ grant: StorageGrant) async throws(CredentialIssuerError) -> StorageCredentials {
        try await tracer.withSpan("sts", startsTrace: false) { span throws(CredentialIssuerError) in
            let start = ContinuousClock.now
            do throws(CredentialIssuerError) {
                let issued = try await issuer.issue(grant)
                record("success", since: start)
                return issued
            } catch {
                let outcome =
                    switch error {
                    case .unavailable: "unavailable"
                    case .refused: "refused"
                    }
                record(outcome, since: start)
                span?.fail(outcome)
                throw error
            }
        }
    }

    private func record(_ outcome: String, since start: ContinuousClock.Instant) {
        metrics.record(ServiceMetric.tokenServiceRequest, [outcome], ContinuousClock.now - start)
    }
}
