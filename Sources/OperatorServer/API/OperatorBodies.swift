import Foundation
import Operators
import PhotolalaAPI
import Subscriptions
import UseCases

/// `POST /api/auth/lookup`: one of provider and providerID, provider and idToken, or email.
struct LookupBody: Decodable {
    let provider: ProviderName?
    let providerID: String?
    let idToken: String?
    let email: String?

    func query() throws(OperatorFailure) -> IdentityLookup.Query {
        switch (provider, providerID, idToken, email) {
        case (let provider?, let subject?, nil, nil): return .subject(provider, subject)
        case (let provider?, nil, let token?, nil): return .idToken(provider, token)
        case (nil, nil, nil, let email?): return .email(email)
        default: throw .invalid("Send provider and providerID, provider and idToken, or email.")
        }
    }
}

/// `POST /api/accounts/{user}/usage-count`
struct UsageCount: Encodable {
    let storedBytes: Int64
    let objects: Int
    let countedAt: Date
}

/// `PUT /api/accounts/{user}/deletion`
struct ScheduledDeletionAnswer: Encodable {
    let erasesAt: Date
    let receiptCode: String
}

/// `DELETE /api/accounts/{user}/hold`
struct ReleasedHold: Encodable {
    /// When a scheduled deletion erases the account; absent without one.
    let erasesAt: Date?
}

/// `GET /api/operator-log`
struct LogPage: Encodable {
    let calls: [OperatorCall]
    /// The number of records on this page that could not be read.
    let unreadable: Int
    /// For `after` of the next page.
    let next: String?
}

/// One App Store subscription of an account, without the data that Apple signed.
struct SubscriptionView: Encodable {
    struct Period: Encodable {
        let productID: String
        let startsAt: Date
        let endsAt: Date
    }

    let environment: String
    let originalTransactionID: String
    let account: UserID?
    let boundAt: Date?
    let previousAccount: UserID?
    let moves: Int
    /// The newest first.
    let periods: [Period]

    init(_ record: SubscriptionDocument) {
        environment = record.id.environment.rawValue
        originalTransactionID = record.id.originalTransactionID
        (account, boundAt) = (record.owner, record.boundAt)
        (previousAccount, moves) = (record.previousOwner, record.moves)
        periods = record.entitlement.periods.map {
            Period(productID: $0.productID, startsAt: $0.startsAt, endsAt: $0.endsAt)
        }
    }
}
