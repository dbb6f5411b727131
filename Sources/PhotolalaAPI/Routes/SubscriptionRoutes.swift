extension Route where Body == AppStorePurchase, Answer == Subscription {
    /// Presents a purchase of the App Store's: the first account that does has the subscription.
    public static var presentPurchase: Self { Route(.post, "/subscriptions/app-store") }
}

extension Route where Body == MoveTicketRequest, Answer == MoveTicketAnswer {
    /// Lets one of the account's subscriptions go to another account. Needs a recent proof.
    public static var moveTicket: Self { Route(.post, "/subscriptions/app-store/move-ticket") }
}

extension Route where Body == MoveRequest, Answer == Subscription {
    /// Takes a subscription over from another account. With a ticket it needs a recent proof.
    public static var moveSubscription: Self { Route(.post, "/subscriptions/app-store/move") }
}

extension Route where Body == AppStorePurchase, Answer == ForgottenProvider {
    /// Tells the buyer of a subscription which provider opens its account. Never a sign-in.
    public static var forgottenProvider: Self { Route(.post, "/auth/forgotten-provider") }
}
