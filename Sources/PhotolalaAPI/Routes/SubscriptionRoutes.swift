extension Route where Body == AppStorePurchase, Answer == Subscription {
    /// Presents an App Store purchase. The first account that does so owns the subscription.
    public static var presentPurchase: Self { Route(.post, "/subscriptions/app-store") }
}

extension Route where Body == MoveTicketRequest, Answer == MoveTicketResponse {
    /// Issues a ticket that moves one of the account's subscriptions to another account. Requires recent
    /// authentication.
    public static var moveTicket: Self { Route(.post, "/subscriptions/app-store/move-ticket") }
}

extension Route where Body == MoveRequest, Answer == Subscription {
    /// Moves a subscription from another account to this one. With a ticket, requires recent authentication.
    public static var moveSubscription: Self { Route(.post, "/subscriptions/app-store/move") }
}

extension Route where Body == AppStorePurchase, Answer == ForgottenProvider {
    /// Returns the providers that open the account of a subscription's buyer. Never signs in.
    public static var forgottenProvider: Self { Route(.post, "/auth/forgotten-provider") }
}
