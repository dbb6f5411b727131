import Accounts
import HTTPTypes
import Hummingbird
import NIOCore
import PhotolalaAPI
import UseCases

/// Endpoints for provider events. An event is verified by its signature and handled before the response, so that the
/// provider repeats an event that failed.
struct WebhookRoutes {
    /// The base URL of the status page for deletion requests.
    let publicURL: String

    func mount(on endpoints: Endpoints) {
        for (provider, callbacks) in endpoints.services.providerEvents.callbacks {
            for callback in callbacks {
                switch callback {
                case .events: mount("/webhooks/\(provider)", provider, callback, on: endpoints)
                case .deauthorize:
                    mount("/webhooks/\(provider)/\(callback.rawValue)", provider, callback, on: endpoints)
                case .dataDeletion: mountDeletion("/webhooks/\(provider)/\(callback.rawValue)", provider, on: endpoints)
                }
            }
        }
    }

    private func mount(
        _ path: String, _ provider: ProviderName, _ callback: ProviderCallback, on endpoints: Endpoints
    ) {
        let (services, exchange) = (endpoints.services, endpoints.exchange)
        // RFC 8935 section 2.2 requires 202; Apple and Facebook expect 200.
        let status: HTTPResponse.Status = provider == .google ? .accepted : .ok
        endpoints.mount(Route<EmptyBody, EmptyBody>(.post, path)) { request, context in
            let body = try await exchange.collect(request, context)
            try await services.providerEvents.handleEvents(Array(body.readableBytesView), from: provider, to: callback)
            return Response(status: status)
        }
    }

    private func mountDeletion(_ path: String, _ provider: ProviderName, on endpoints: Endpoints) {
        let (services, exchange, publicURL) = (endpoints.services, endpoints.exchange, publicURL)
        struct Receipt: Encodable {
            let url: String
            // Facebook defines this name.
            let confirmation_code: String
        }
        endpoints.mount(Route<EmptyBody, EmptyBody>(.post, path)) { request, context in
            let body = try await exchange.collect(request, context)
            let code = try await services.providerEvents.handleDeletionRequest(
                Array(body.readableBytesView), from: provider)
            return try JSONExchange.encode(
                Receipt(url: "\(publicURL)\(path)/\(code)", confirmation_code: code), status: .ok
            )
        }
        endpoints.mount(Route<EmptyBody, EmptyBody>(.get, "\(path)/{code}")) { _, context in
            let status = try await services.providerEvents.deletionStatus(
                context.parameters.get("code") ?? "", of: provider)
            return DeletionPage(status).response
        }
    }
}
