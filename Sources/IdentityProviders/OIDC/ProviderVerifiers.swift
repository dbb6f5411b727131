import Accounts
import Foundation
import Logging
import Transport

/// The verifiers for one provider's ID tokens and events.
package struct ProviderVerifiers: Sendable {
    package let tokens: any IdentityTokenVerifier
    /// `nil` if events are not accepted.
    package let events: (any ProviderEventVerifier)?

    package init(
        _ settings: IdentityProviderSettings, transport: any HTTPTransport, logger: Logger,
        now: @escaping @Sendable () -> Date
    ) {
        let openID = OpenIDTokenVerifier(settings: settings, transport: transport, logger: logger, now: now)
        guard let app = settings.facebookApp else {
            tokens = openID
            events = openID.events
            return
        }
        let graph = GraphClient(url: app.graphURL, transport: transport)
        let classic = ClassicTokenVerifier(settings: settings, app: app, graph: graph, logger: logger, now: now)
        tokens = app.allowsClassicTokens ? FacebookTokenVerifier(limited: openID, classic: classic) : openID
        events = SignedRequestVerifier(settings: settings, app: app, now: now)
    }
}
