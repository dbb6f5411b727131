/// The stable name of an error on the wire. The set may grow; a client handles an unknown name by its status.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, in snake case.
    public let rawValue: String
    /// Creates an error code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name, in snake case.
    public var description: String { rawValue }

    private init(_ name: String) { rawValue = name }

    /// 400: the body or a parameter is malformed.
    public static let invalidRequest = ErrorCode("invalid_request")
    /// 400: the request names a device other than the one on which the session was opened.
    public static let deviceMismatch = ErrorCode("device_mismatch")
    /// 400: this deployment does not support the provider.
    public static let unknownProvider = ErrorCode("unknown_provider")
    /// 401: the provider's token is invalid.
    public static let invalidToken = ErrorCode("invalid_token")
    /// 400: the webhook payload is not a valid event of its provider.
    public static let invalidEvent = ErrorCode("invalid_event")
    /// 400: the value is not a transaction signed by Apple; `detail` states the problem.
    public static let invalidTransaction = ErrorCode("invalid_transaction")
    /// 400: Apple signed the transaction for another app.
    public static let wrongApp = ErrorCode("wrong_app")
    /// 400: the purchase was made in an App Store environment that this deployment does not accept.
    public static let wrongEnvironment = ErrorCode("wrong_environment")
    /// 400: the purchase is not an auto-renewable subscription.
    public static let notASubscription = ErrorCode("not_a_subscription")
    /// 400: the purchased product does not map to a tier.
    public static let unknownProduct = ErrorCode("unknown_product")
    /// 400: the move ticket is unknown, expired or used.
    public static let invalidMoveTicket = ErrorCode("invalid_move_ticket")
    /// 401: this deployment requires a challenge with every provider token.
    public static let challengeRequired = ErrorCode("challenge_required")
    /// 401: the challenge is unknown, expired or used, or was created for another purpose, device or token.
    public static let invalidChallenge = ErrorCode("invalid_challenge")
    /// 401: the pending identity is unknown, expired or used, or was created for another device.
    public static let invalidPendingIdentity = ErrorCode("invalid_pending_identity")
    /// 401: the access token is missing or invalid.
    public static let unauthorized = ErrorCode("unauthorized")
    /// 401: the session has ended; sign in again.
    public static let sessionEnded = ErrorCode("session_ended")
    /// 401: the DPoP proof lacks a current nonce; create a new one with the response's `DPoP-Nonce`.
    public static let useDPoPNonce = ErrorCode("use_dpop_nonce")
    /// 401: the DPoP proof is missing, used, or not valid for this call and token.
    public static let invalidDPoPProof = ErrorCode("invalid_dpop_proof")
    /// 403: the call requires recent authentication, at most 10 minutes old.
    public static let reauthenticationRequired = ErrorCode("reauthentication_required")
    /// 403: this deployment does not allow the call.
    public static let notAllowed = ErrorCode("not_allowed")
    /// 403: Apple signed the transaction more than 10 minutes ago; request it from StoreKit again.
    public static let transactionTooOld = ErrorCode("transaction_too_old")
    /// 404: no account exists for this identity.
    public static let noAccountFound = ErrorCode("no_account_found")
    /// 404: the resource does not exist or belongs to another account.
    public static let notFound = ErrorCode("not_found")
    /// 405: the path does not support the method.
    public static let methodNotAllowed = ErrorCode("method_not_allowed")
    /// 408: the body took too long to arrive.
    public static let requestTimeout = ErrorCode("request_timeout")
    /// 409: this identity already has an account; sign in.
    public static let accountAlreadyExists = ErrorCode("account_already_exists")
    /// 409: the identity belongs to another account.
    public static let providerAlreadyLinked = ErrorCode("provider_already_linked")
    /// 409: the last identity of an account cannot be unlinked.
    public static let lastProvider = ErrorCode("last_provider")
    /// 403: the identity was linked too recently; this call requires a session of an older identity.
    public static let identityTooNew = ErrorCode("identity_too_new")
    /// 403: the operator disabled the account; only the operator can enable it.
    public static let accountDisabled = ErrorCode("account_disabled")
    /// 409: an unlinking is pending; until it takes effect, this call requires a session of an older identity.
    public static let unlinkPending = ErrorCode("unlink_pending")
    /// 409: the account has reached the maximum number of identities.
    public static let tooManyProviders = ErrorCode("too_many_providers")
    /// 409: the subscription belongs to another account, or its buyer named another one.
    public static let subscriptionTaken = ErrorCode("subscription_taken")
    /// 409: a subscription bought by another family member cannot be moved.
    public static let familyShared = ErrorCode("family_shared")
    /// 409: the user's profile object is malformed.
    public static let profileUnreadable = ErrorCode("profile_unreadable")
    /// 403: the quota is used up; delete photos or upgrade. Reading and deleting remain possible.
    public static let quotaExceeded = ErrorCode("quota_exceeded")
    /// 403: the account is being deleted, so nothing can be stored.
    public static let storageReadOnly = ErrorCode("storage_read_only")
    /// 409: the deletion of the account is scheduled; cancel it first.
    public static let accountDeleting = ErrorCode("account_deleting")
    /// 409: no deletion is scheduled, or its data is already being deleted.
    public static let noDeletionScheduled = ErrorCode("no_deletion_scheduled")
    /// 409: the library's catalog in the store is damaged; the SDK's `PhotolalaLibrary.repairCatalog` restores the
    /// newest readable one.
    public static let catalogDamaged = ErrorCode("catalog_damaged")
    /// 409: the library's catalog in the store has a newer version or is too large. Nothing was changed.
    public static let catalogUnusable = ErrorCode("catalog_unusable")
    /// 412: the resource was changed after it was read.
    public static let concurrentModification = ErrorCode("changed_meanwhile")
    /// 413: the body exceeds the size limit of the call.
    public static let bodyTooLarge = ErrorCode("body_too_large")
    /// 415: the body is not JSON.
    public static let unsupportedMediaType = ErrorCode("unsupported_media_type")
    /// 429: too many calls; `Retry-After` states when to retry.
    public static let rateLimited = ErrorCode("rate_limited")
    /// 500: an internal error, logged under the request ID.
    public static let internalError = ErrorCode("internal_error")
    /// 503: the store or the provider does not respond; try again.
    public static let temporarilyUnavailable = ErrorCode("temporarily_unavailable")
    /// 507: the server's disk is full.
    public static let outOfSpace = ErrorCode("out_of_space")
}
