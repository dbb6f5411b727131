import Monitoring
import PhotolalaAPI
import Transport

/// A transport whose requests to an identity provider are measured until the response's header.
struct MeasuredTransport: HTTPTransport {
    /// What a request to a provider is for.
    enum Call: String, CaseIterable {
        /// The keys that verify ID tokens and events, and the provider's configuration.
        case keys
        /// The exchange of an authorization code during a sign-in.
        case code
        /// Exchange, check and revocation of stored tokens.
        case tokens
    }

    private let transport: any HTTPTransport
    private let metrics: ServiceMetrics
    private let provider: String
    private let call: Call

    init(_ transport: any HTTPTransport, _ metrics: ServiceMetrics, provider: ProviderName, call: Call) {
        (self.transport, self.metrics, self.provider, self.call) = (transport, metrics, "\(provider)", call)
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let start = ContinuousClock.now
        do {
            let response = try await transport.send(request)
            let outcome =
                switch response.status {
                case 401, 403: "refused"
                case 500...: "failed"
                default: "answered"
                }
            record(outcome, since: start)
            return response
        } catch {
            record("unreachable", since: start)
            throw error
        }
    }

    private func record(_ outcome: String, since start: ContinuousClock.Instant) {
        metrics.record(
            ServiceMetric.providerRequest, [provider, call.rawValue, outcome], ContinuousClock.now - start)
    }
}
