import Foundation

/// Body of `POST /account/deletion`.
public struct DeletionRequest: Codable, Sendable, Equatable {
    /// The text that a person types to confirm: `DELETE`.
    public static let confirmationText = "DELETE"

    /// What the person typed.
    public let confirmation: String

    /// Creates a request.
    /// - Parameter confirmation: what the person typed; the server accepts only `confirmationText`.
    public init(confirmation: String) { self.confirmation = confirmation }
}

/// A scheduled deletion of the account. Until `erasesAt` its owner can cancel it.
public struct AccountDeletion: Codable, Sendable, Equatable {
    /// When the deletion was requested.
    public let requestedAt: Date
    /// When the data is deleted for good, and the deletion can no longer be cancelled.
    public let erasesAt: Date

    /// Creates a deletion.
    public init(requestedAt: Date, erasesAt: Date) {
        self.requestedAt = requestedAt
        self.erasesAt = erasesAt
    }
}

/// What a deletion removes, and whether one is scheduled.
public struct DeletionOverview: Codable, Sendable, Equatable {
    /// The scheduled deletion; omitted if there is none.
    public let deletion: AccountDeletion?
    /// The days between a request and the deletion of the data, during which it can be cancelled.
    public let undoDays: Int
    /// What is deleted, by kind, photos in the trash included: the last storage count.
    public let contents: UsageByKind
    /// When `contents` was counted; omitted before the first count.
    public let countedAt: Date?
    /// The App Store subscriptions that Apple goes on billing until the person cancels them at `manageSubscriptionsURL`.
    public let subscriptions: [AppStoreSubscription]
    /// Where a person cancels subscriptions.
    public let manageSubscriptionsURL: String
    /// A code for `POST /account/deletion/receipt`, which works without the account. Only while a deletion is scheduled.
    public let receiptCode: String?
    /// A code that cancels the deletion without a sign-in. Only while a deletion is scheduled.
    public let undoCode: String?

    /// Apple's page for cancelling subscriptions.
    public static let appStoreSubscriptionsURL = "https://apps.apple.com/account/subscriptions"

    /// Creates an overview.
    public init(
        deletion: AccountDeletion?, undoDays: Int, contents: UsageByKind, countedAt: Date?,
        subscriptions: [AppStoreSubscription],
        manageSubscriptionsURL: String = appStoreSubscriptionsURL, receiptCode: String? = nil, undoCode: String? = nil
    ) {
        self.deletion = deletion
        self.undoDays = undoDays
        self.contents = contents
        self.countedAt = countedAt
        self.subscriptions = subscriptions
        self.manageSubscriptionsURL = manageSubscriptionsURL
        self.receiptCode = receiptCode
        self.undoCode = undoCode
    }
}

/// Body of `POST /account/deletion/undo`.
public struct DeletionUndo: Codable, Sendable, Equatable {
    /// The code from the response that started the deletion.
    public let undoCode: String

    /// Creates a request.
    public init(undoCode: String) { self.undoCode = undoCode }
}

/// Body of `POST /account/deletion/receipt`.
public struct DeletionReceiptRequest: Codable, Sendable, Equatable {
    /// The code from the deletion.
    public let receiptCode: String

    /// Creates a request.
    public init(receiptCode: String) { self.receiptCode = receiptCode }
}

/// The state of a deletion, for anyone with its receipt code.
public struct DeletionStatus: Codable, Sendable, Equatable {
    /// The state. The set may grow.
    public let state: DeletionState
    /// When the data is deleted for good; only in state `scheduled`.
    public let erasesAt: Date?
    /// The signed receipt, a compact JWS (RFC 7515); only in state `completed`. The keys are at
    /// `/.well-known/erasure-keys.json`.
    public let receipt: String?

    /// Creates a status.
    public init(state: DeletionState, erasesAt: Date? = nil, receipt: String? = nil) {
        self.state = state
        self.erasesAt = erasesAt
        self.receipt = receipt
    }
}

/// The state of a deletion. The set may grow.
public struct DeletionState: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, in snake case.
    public let rawValue: String
    /// Creates a state from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name, in snake case.
    public var description: String { rawValue }

    /// The account exists and no deletion is scheduled: the deletion was cancelled, or a provider requested it and the
    /// account has other identities.
    public static let active = DeletionState(rawValue: "active")
    /// The deletion is scheduled and can be cancelled.
    public static let scheduled = DeletionState(rawValue: "scheduled")
    /// The data is being deleted.
    public static let erasing = DeletionState(rawValue: "erasing")
    /// The data is deleted.
    public static let completed = DeletionState(rawValue: "completed")
    /// No data is stored for this code and there is no receipt: there was no account.
    public static let nothingStored = DeletionState(rawValue: "nothing_stored")
}
