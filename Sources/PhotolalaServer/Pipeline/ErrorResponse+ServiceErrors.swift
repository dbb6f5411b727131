import HTTPTypes
import PhotolalaAPI
import UseCases

extension ErrorResponse {
    /// Maps use case errors to HTTP. This is the only such table.
    init(_ error: ServiceError) {
        switch error {
        case .invalidRequest(let what): self.init(.badRequest, .invalidRequest, what)
        case .unknownProvider(let name): self.init(.badRequest, .unknownProvider, "Unknown provider: \(name).")
        case .invalidToken(let reason):
            self.init(
                .unauthorized, .invalidToken, "Invalid provider token. Sign in with the provider again.",
                reason: "\(reason)")
        case .invalidEvent(let reason):
            self.init(.badRequest, .invalidEvent, "Invalid provider event.", reason: "\(reason)")
        case .challengeRequired:
            self.init(
                .unauthorized, .challengeRequired,
                "A challenge is required. Request one from /auth/challenge and use it as the nonce.")
        case .invalidChallenge(let reason):
            self.init(
                .unauthorized, .invalidChallenge,
                "The challenge is expired, used, or issued for another purpose, device or token. Request a new one.",
                reason: "\(reason)"
            )
        case .invalidPendingIdentity(let reason):
            self.init(
                .unauthorized, .invalidPendingIdentity,
                "The pending identity is expired, used, or issued to another device. Sign in again.",
                reason: "\(reason)"
            )
        case .invalidCode(let reason):
            self.init(.badRequest, .invalidRequest, "The code is invalid, expired or used.", reason: reason)
        case .unknownApp: self.init(.unauthorized, .invalidRequest, "client_id is not registered on this server.")
        case .authorizationPending: self.init(.badRequest, .invalidRequest, "Authorization is pending.")
        case .slowDown: self.init(.badRequest, .invalidRequest, "Polling too fast. Add 5 seconds to the interval.")
        case .deviceDenied: self.init(.badRequest, .invalidRequest, "The user denied the device.")
        case .deviceMismatch:
            self.init(.badRequest, .deviceMismatch, "deviceID does not match the access token.")
        case .unauthorized(let reason):
            self.init(.unauthorized, .unauthorized, "A valid access token is required.", reason: reason)
        case .invalidDPoPProof(let what):
            self.init(.unauthorized, .invalidDPoPProof, "Invalid DPoP proof: \(what).", reason: what)
        case .nonceRequired:
            self.init(
                .unauthorized, .useDPoPNonce, "Create the DPoP proof with the nonce from the DPoP-Nonce header.")
        case .sessionEnded: self.init(.unauthorized, .sessionEnded, "The session has ended. Sign in again.")
        case .refreshTokenReused:
            self.init(
                .unauthorized, .sessionEnded, "The session has ended. Sign in again.",
                reason: "refresh token reuse"
            )
        case .reauthenticationRequired:
            self.init(
                .forbidden, .reauthenticationRequired,
                "Recent authentication is required: the last is more than 10 minutes old. Use /auth/reauthenticate."
            )
        case .continueNotAllowed:
            self.init(
                .forbidden, .notAllowed,
                "Combined sign-in and sign-up is disabled. Sign in or create an account separately.")
        case .formOutdated: self.init(.forbidden, .notAllowed, "The page is outdated. Reload it.")
        case .noAccountFound(let identity):
            self.init(.notFound, .noAccountFound, Self.advice(identity), unknownIdentity: identity)
        case .accountAlreadyExists:
            self.init(.conflict, .accountAlreadyExists, "This identity already has an account. Sign in instead.")
        case .providerAlreadyLinked:
            self.init(.conflict, .providerAlreadyLinked, "This identity is linked to another account.")
        case .lastProvider:
            self.init(.conflict, .lastProvider, "The last sign-in method of an account cannot be unlinked.")
        case .unlinkPending:
            self.init(
                .conflict, .unlinkPending,
                "The identity of this session is being unlinked, or an older one is unlinking another or did so recently. "
                    + "Until the delay of that unlink ends, cancel it or use a session of an older identity.")
        case .identityTooNew:
            self.init(
                .forbidden, .identityTooNew,
                "This requires an identity that was linked earlier. Sign in with it, or sign out on the device first.")
        case .accountDisabled:
            self.init(.forbidden, .accountDisabled, "The operator of this server disabled the account.")
        case .accountDeleting:
            self.init(
                .conflict, .accountDeleting, "The deletion of the account is scheduled. Cancel it to make changes.")
        case .noDeletionScheduled:
            self.init(
                .conflict, .noDeletionScheduled,
                "No deletion to cancel: none is scheduled, it has already started, or the code is invalid.")
        case .tooManyLinks:
            self.init(.conflict, .tooManyProviders, "An account can have at most 32 identities. Unlink one first.")
        case .notFound: self.init(.notFound, .notFound, "Not found.")
        case .preconditionFailed:
            self.init(
                .preconditionFailed, .concurrentModification,
                "The resource changed since it was read. Read it again and retry.")
        case .profileUnreadable:
            self.init(
                .conflict, .profileUnreadable,
                "The stored profile is malformed. Replace it with If-Match: *, or delete it."
            )
        case .storageReadOnly:
            self.init(.forbidden, .storageReadOnly, "The account is being deleted and accepts no writes.")
        case .quotaExceeded(let used, let limit):
            self.init(
                .forbidden, .quotaExceeded,
                "Quota exceeded: \(used) of \(limit) bytes are used or reserved. Delete photos or upgrade."
            )
        case .catalogDamaged(let reason):
            self.init(
                .conflict, .catalogDamaged, "The library's catalog is damaged. Repair it from a device.", reason: reason
            )
        case .catalogUnusable(let reason):
            self.init(
                .conflict, .catalogUnusable,
                "The library's catalog is too large to display, or was written by a newer version.",
                reason: reason)
        case .purchasesNotConfigured: self.init(.forbidden, .notAllowed, "Purchases are not configured on this server.")
        case .sharingDisabled: self.init(.forbidden, .notAllowed, "Shared links are disabled on this server.")
        case .invalidTransaction(let reason): self.init(transaction: reason)
        case .invalidNotification(let reason):
            self.init(.badRequest, .invalidEvent, "Invalid App Store notification.", reason: "\(reason)")
        case .unknownProduct(let product):
            self.init(
                .badRequest, .unknownProduct, "The product has no tier on this server.",
                reason: "no tier for product \(product)")
        case .subscriptionOwnedByOther:
            self.init(
                .conflict, .subscriptionTaken,
                "The subscription belongs to another account. Sign in to that account, or move the subscription.")
        case .invalidMoveTicket:
            self.init(
                .badRequest, .invalidMoveTicket, "The move ticket is expired or used. Get a new one.")
        case .familyShared:
            self.init(.conflict, .familyShared, "Only the buyer can manage a family subscription.")
        case .transactionTooOld:
            self.init(
                .forbidden, .transactionTooOld,
                "Apple signed the transaction more than 10 minutes ago. Get it from StoreKit again.")
        case .unavailable(let reason):
            self.init(
                .serviceUnavailable, .temporarilyUnavailable, "Temporarily unavailable. Try again in a moment.",
                reason: reason, retryAfter: 2
            )
        case .clockIsBehind:
            self.init(.serviceUnavailable, .temporarilyUnavailable, "The server's clock is behind.", retryAfter: 60)
        case .storeFault(let fault):
            let text =
                switch fault {
                case .accountsDamaged: "The server's account database is damaged."
                case .diskFull: "The server's disk is full. Accounts cannot be changed."
                case .diskReadOnly: "The server's disk is read-only."
                case .writesFail: "The server cannot write to its account database."
                }
            self.init(
                .serviceUnavailable, .temporarilyUnavailable, text, reason: "\(fault.rawValue)", retryAfter: 60)
        case .outOfSpace: self.init(.insufficientStorage, .outOfSpace, "The server is out of disk space.")
        case .rateLimited(let wait):
            self.init(
                .tooManyRequests, .rateLimited, "Rate limit exceeded. Try again in \(wait) s.", retryAfter: wait
            )
        case .overloaded(let wait):
            self.init(
                .serviceUnavailable, .temporarilyUnavailable, "The server is overloaded. Try again in a moment.",
                reason: "limits.totalCallsPerMinute reached", retryAfter: wait
            )
        case .internal(let reason):
            self.init(.internalServerError, .internalError, "Internal server error.", reason: reason)
        }
    }

    private static func advice(_ identity: UnknownIdentity) -> String {
        let hint =
            identity.hints.isEmpty
            ? "Sign in with the provider you used before"
            : "Sign in with \(identity.hints.map(\.description.capitalized).joined(separator: " or "))"
        return
            "No account is linked to this \(identity.provider.description.capitalized) identity. \(hint), or create an account."
    }
}

extension HTTPResponse.Status {
    /// Status 507 (RFC 4918 section 11.5).
    static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}
