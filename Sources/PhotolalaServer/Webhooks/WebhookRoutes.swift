import Flows
import HTTPTypes
import Hummingbird
import PhotolalaAPI

/// What providers send to us: verified by its signature, and taken in before it is answered, so that a provider sends
/// again what was not.
struct WebhookRoutes {
    func mount(on endpoints: Endpoints) {
        let services = endpoints.services
        let exchange = endpoints.exchange
        for (provider, verifier) in services.eventVerifiers {
            // RFC 8935 section 2.2 wants 202; Apple wants 200.
            let status: HTTPResponse.Status = verifier.provider == .apple ? .ok : .accepted
            endpoints.mount(Route<Nothing, Nothing>(.post, "/webhooks/\(provider)")) { request, context in
                let body = try await exchange.collect(request, context)
                try await services.hear(Array(body.readableBytesView), from: provider)
                return Response(status: status)
            }
        }
    }
}
