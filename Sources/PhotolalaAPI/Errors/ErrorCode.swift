/// The stable name of an error on the wire. The set may grow; a client treats a name it does not know by its status.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, in snake case.
    public let rawValue: String
    /// Names an error.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name, in snake case.
    public var description: String { rawValue }

    private init(_ name: String) { rawValue = name }

    /// 400: the body or a parameter is not what the call takes.
    public static let invalidRequest = ErrorCode("invalid_request")
    /// 400: the request names another device than the one that the session was opened on.
    public static let deviceMismatch = ErrorCode("device_mismatch")
    /// 400: this deployment has no such provider.
    public static let unknownProvider = ErrorCode("unknown_provider")
    /// 401: the provider's token proves nothing here.
    public static let invalidToken = ErrorCode("invalid_token")
    /// 400: what came to a webhook is no event of its provider's.
    public static let invalidEvent = ErrorCode("invalid_event")
    /// 400: what was presented is no transaction that Apple signed; `detail` says what is wrong with it.
    public static let invalidTransaction = ErrorCode("invalid_transaction")
    /// 400: Apple signed the transaction for another app.
    public static let wrongApp = ErrorCode("wrong_app")
    /// 400: the purchase was made in an environment of the App Store that this deployment does not accept.
    public static let wrongEnvironment = ErrorCode("wrong_environment")
    /// 400: the purchase is no auto-renewable subscription.
    public static let notASubscription = ErrorCode("not_a_subscription")
    /// 400: the product that was bought gives no tier here.
    public static let unknownProduct = ErrorCode("unknown_product")
    /// 400: the move ticket is not ours, has ended, or was used.
    public static let invalidMoveTicket = ErrorCode("invalid_move_ticket")
    /// 401: this deployment wants a challenge with every provider token.
    public static let challengeRequired = ErrorCode("challenge_required")
    /// 401: the challenge is not ours, has ended, was used, or was made for another purpose, device or token.
    public static let invalidChallenge = ErrorCode("invalid_challenge")
    /// 401: the pending identity is not ours, has ended, was used, or was made for another device.
    public static let invalidPendingIdentity = ErrorCode("invalid_pending_identity")
    /// 401: no access token, or one that is not good here.
    public static let unauthorized = ErrorCode("unauthorized")
    /// 401: the session is over; sign in again.
    public static let sessionEnded = ErrorCode("session_ended")
    /// 401: the proof of the device's key answers no nonce that is good now; make one with the answer's `DPoP-Nonce`.
    public static let useDPoPNonce = ErrorCode("use_dpop_nonce")
    /// 401: the proof of the device's key is missing, used, or not for this call and token.
    public static let invalidDPoPProof = ErrorCode("invalid_dpop_proof")
    /// 403: the act needs a proof of identity that is at most 10 minutes old.
    public static let reauthenticationRequired = ErrorCode("reauthentication_required")
    /// 403: this deployment does not allow the act.
    public static let notAllowed = ErrorCode("not_allowed")
    /// 403: Apple signed the transaction more than 10 minutes ago; get it from StoreKit again.
    public static let transactionTooOld = ErrorCode("transaction_too_old")
    /// 404: nobody has signed up with this identity.
    public static let noAccountFound = ErrorCode("no_account_found")
    /// 404: there is no such thing, or it is not yours.
    public static let notFound = ErrorCode("not_found")
    /// 405: the path does not know the method.
    public static let methodNotAllowed = ErrorCode("method_not_allowed")
    /// 408: the body took too long to arrive.
    public static let requestTimeout = ErrorCode("request_timeout")
    /// 409: this identity has an account already; sign in.
    public static let accountAlreadyExists = ErrorCode("account_already_exists")
    /// 409: the identity belongs to another account.
    public static let providerAlreadyLinked = ErrorCode("provider_already_linked")
    /// 409: the last identity cannot be unlinked.
    public static let lastProvider = ErrorCode("last_provider")
    /// 403: the identity was linked a short time ago, and only a session of an older identity can do this.
    public static let identityTooNew = ErrorCode("identity_too_new")
    /// 409: an unlinking is pending, and only a session of an older identity can do this until it has taken effect.
    public static let unlinkPending = ErrorCode("unlink_pending")
    /// 409: the account has as many identities as one can have.
    public static let tooManyProviders = ErrorCode("too_many_providers")
    /// 409: the subscription counts for another account, or its buyer named another one.
    public static let subscriptionTaken = ErrorCode("subscription_taken")
    /// 409: a subscription that somebody else of the family bought cannot be moved.
    public static let familyShared = ErrorCode("family_shared")
    /// 409: the profile object that the user wrote is none.
    public static let profileUnreadable = ErrorCode("profile_unreadable")
    /// 403: there is no room left for it; delete something, or get a larger plan. Reading and deleting go on.
    public static let quotaExceeded = ErrorCode("quota_exceeded")
    /// 403: the account is being deleted: nothing is stored any more.
    public static let storageReadOnly = ErrorCode("storage_read_only")
    /// 409: the library's catalog in the store is damaged; the SDK's `PhotolalaLibrary.repairCatalog` goes back to one that
    /// can be read.
    public static let catalogDamaged = ErrorCode("catalog_damaged")
    /// 409: the library's catalog in the store is of a newer version or too large. Nothing was changed.
    public static let catalogUnusable = ErrorCode("catalog_unusable")
    /// 412: somebody changed it since you read it.
    public static let changedMeanwhile = ErrorCode("changed_meanwhile")
    /// 413: the body is larger than the call takes.
    public static let bodyTooLarge = ErrorCode("body_too_large")
    /// 415: the body is not JSON.
    public static let unsupportedMediaType = ErrorCode("unsupported_media_type")
    /// 429: too many calls; `Retry-After` says when to come back.
    public static let rateLimited = ErrorCode("rate_limited")
    /// 500: our fault; the log has it under the request id.
    public static let internalError = ErrorCode("internal_error")
    /// 503: the store or the provider does not answer; try again.
    public static let temporarilyUnavailable = ErrorCode("temporarily_unavailable")
    /// 507: the server's disk is full.
    public static let outOfSpace = ErrorCode("out_of_space")
}
