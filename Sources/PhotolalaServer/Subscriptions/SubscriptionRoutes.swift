import Hummingbird
import PhotolalaAPI
import UseCases

/// Routes for App Store purchases: presenting and moving a purchase, Apple's notifications, and finding a forgotten
/// provider.
struct SubscriptionRoutes {
    func mount(on endpoints: Endpoints) {
        endpoints.signedIn(Route.presentPurchase) { try await $2.subscriptions.bindPurchase($0, caller: $1) }
        endpoints.signedIn(Route.moveTicket) { try await $2.subscriptions.moveTicket($0, caller: $1) }
        endpoints.signedIn(Route.moveSubscription) { try await $2.subscriptions.moveSubscription($0, caller: $1) }
        endpoints.mountPublic(Route.forgottenProvider) { purchase, _, services in
            try await services.subscriptions.findProvider(by: purchase)
        }
        guard endpoints.services.subscriptions.acceptsPurchases else { return }
        let (services, exchange) = (endpoints.services, endpoints.exchange)
        endpoints.mount(Route<EmptyBody, EmptyBody>(.post, "/webhooks/app-store")) { request, context in
            let body = try await exchange.collect(request, context)
            try await services.subscriptions.handleAppStoreNotification(Array(body.readableBytesView))
            return Response(status: .ok)
        }
    }
}
