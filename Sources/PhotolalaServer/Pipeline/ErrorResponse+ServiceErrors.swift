import HTTPTypes
import PhotolalaAPI
import UseCases

extension ErrorResponse {
    /// Maps use case errors to HTTP. This is the only such table.
    init(_ error: ServiceError) {
        switch error {
        case .invalidRequest(let what): self.init(.badRequest, .invalidRequest, what)
        case .unknownProvider(let name): self.init(.badRequest, .unknownProvider, "There is no provider \(name) here.")
        case .invalidToken(let reason):
            self.init(.unauthorized, .invalidToken, "The provider's token is not valid here.", reason: "\(reason)")
        case .invalidEvent(let reason):
            self.init(.badRequest, .invalidEvent, "This is no event of the provider's.", reason: "\(reason)")
        case .challengeRequired:
            self.init(.unauthorized, .challengeRequired, "Ask /auth/challenge first and send its value as nonce.")
        case .invalidChallenge(let reason):
            self.init(
                .unauthorized, .invalidChallenge,
                "The challenge has ended, was used, or belongs to another act, device or token.", reason: "\(reason)"
            )
        case .invalidPendingIdentity(let reason):
            self.init(
                .unauthorized, .invalidPendingIdentity,
                "The kept identity has ended, was used, or belongs to another device. Sign in again.",
                reason: "\(reason)"
            )
        case .invalidCode(let reason):
            self.init(.badRequest, .invalidRequest, "The code is not good here.", reason: reason)
        case .unknownApp: self.init(.unauthorized, .invalidRequest, "client_id names no app of this server.")
        case .authorizationPending: self.init(.badRequest, .invalidRequest, "Nobody has decided yet.")
        case .slowDown: self.init(.badRequest, .invalidRequest, "Ask less often: add 5 seconds to the interval.")
        case .deviceDenied: self.init(.badRequest, .invalidRequest, "The device was not let in.")
        case .deviceMismatch:
            self.init(.badRequest, .deviceMismatch, "deviceID is not the device of the access token.")
        case .unauthorized(let reason):
            self.init(.unauthorized, .unauthorized, "This call needs a valid access token.", reason: reason)
        case .invalidDPoPProof(let what):
            self.init(.unauthorized, .invalidDPoPProof, "The DPoP proof is not good here: \(what).", reason: what)
        case .nonceRequired:
            self.init(.unauthorized, .useDPoPNonce, "Make the DPoP proof with the nonce in DPoP-Nonce.")
        case .sessionEnded: self.init(.unauthorized, .sessionEnded, "The session is over. Sign in again.")
        case .refreshTokenReused:
            self.init(
                .unauthorized, .sessionEnded, "The session is over. Sign in again.",
                reason: "a used refresh token came again"
            )
        case .reauthenticationRequired:
            self.init(
                .forbidden, .reauthenticationRequired,
                "Prove who you are again with /auth/reauthenticate; the last proof is more than 10 minutes old."
            )
        case .continueNotAllowed:
            self.init(.forbidden, .notAllowed, "Sign in and Create Account are separate here.")
        case .formOutdated: self.init(.forbidden, .notAllowed, "The page is out of date. Load it again.")
        case .noAccountFound(let identity):
            self.init(.notFound, .noAccountFound, Self.advice(identity), unknownIdentity: identity)
        case .accountAlreadyExists:
            self.init(.conflict, .accountAlreadyExists, "This identity has an account already. Sign in instead.")
        case .providerAlreadyLinked:
            self.init(.conflict, .providerAlreadyLinked, "This identity belongs to another account.")
        case .lastProvider: self.init(.conflict, .lastProvider, "The last identity of an account cannot be unlinked.")
        case .unlinkPending:
            self.init(
                .conflict, .unlinkPending,
                "An unlinking is pending. Until it takes effect, only a session of an older identity can do this.")
        case .identityTooNew:
            self.init(
                .forbidden, .identityTooNew,
                "This identity was linked a short time ago. Use a session of an identity that was linked earlier.")
        case .tooManyLinks:
            self.init(.conflict, .tooManyProviders, "An account opens with 32 identities at most. Unlink one first.")
        case .notFound: self.init(.notFound, .notFound, "There is no such thing.")
        case .preconditionFailed:
            self.init(.preconditionFailed, .concurrentModification, "It changed since you read it.")
        case .profileUnreadable:
            self.init(
                .conflict, .profileUnreadable,
                "The profile object cannot be read as a profile. Replace it with If-Match: *, or delete it."
            )
        case .storageReadOnly:
            self.init(.forbidden, .storageReadOnly, "The account is being deleted. Nothing is stored any more.")
        case .quotaExceeded(let used, let limit):
            self.init(
                .forbidden, .quotaExceeded,
                "\(used) of \(limit) bytes are used or kept free for other uploads. Delete something, or get a larger plan."
            )
        case .catalogDamaged(let reason):
            self.init(
                .conflict, .catalogDamaged, "The library's catalog is damaged. A device can repair it.", reason: reason)
        case .catalogUnusable(let reason):
            self.init(
                .conflict, .catalogUnusable,
                "The library's catalog was written by a newer version, or is too large to be shown here.",
                reason: reason)
        case .purchasesNotConfigured: self.init(.forbidden, .notAllowed, "This server takes no purchases.")
        case .invalidTransaction(let reason): self.init(transaction: reason)
        case .invalidNotification(let reason):
            self.init(.badRequest, .invalidEvent, "This is no notification of the App Store's.", reason: "\(reason)")
        case .unknownProduct(let product):
            self.init(
                .badRequest, .unknownProduct, "The product gives no tier here.", reason: "no tier has \(product)")
        case .subscriptionOwnedByOther:
            self.init(
                .conflict, .subscriptionTaken,
                "The subscription belongs to another account. Sign in to that one, or move the subscription here.")
        case .invalidMoveTicket:
            self.init(
                .badRequest, .invalidMoveTicket, "The move ticket has ended or was used. Get a new one.")
        case .familyShared:
            self.init(.conflict, .familyShared, "Only who bought the subscription can do this.")
        case .transactionTooOld:
            self.init(
                .forbidden, .transactionTooOld,
                "Apple signed the transaction more than 10 minutes ago. Get it from StoreKit again.")
        case .unavailable(let reason):
            self.init(
                .serviceUnavailable, .temporarilyUnavailable, "Try again in a moment.", reason: reason, retryAfter: 2
            )
        case .clockIsBehind:
            self.init(.serviceUnavailable, .temporarilyUnavailable, "The server's clock is behind.", retryAfter: 60)
        case .storeFault(let fault):
            let text =
                switch fault {
                case .accountsDamaged: "The server's database of accounts is damaged."
                case .diskFull: "The server's disk is full: accounts cannot be written."
                case .diskReadOnly: "The server's disk is read-only: nothing can be written."
                case .writesFail: "The server's disk refuses writes of accounts."
                }
            self.init(
                .serviceUnavailable, .temporarilyUnavailable, text, reason: "\(fault.rawValue)", retryAfter: 60)
        case .outOfSpace: self.init(.insufficientStorage, .outOfSpace, "The server has no space left.")
        case .rateLimited(let wait):
            self.init(
                .tooManyRequests, .rateLimited, "Too many calls. Try again in \(wait) s.", retryAfter: wait
            )
        case .overloaded(let wait):
            self.init(
                .serviceUnavailable, .temporarilyUnavailable, "Too many people call at this moment. Try again soon.",
                reason: "limits.totalCallsPerMinute is reached", retryAfter: wait
            )
        case .internal(let reason):
            self.init(.internalServerError, .internalError, "Something went wrong here.", reason: reason)
        }
    }

    private static func advice(_ identity: UnknownIdentity) -> String {
        let hint =
            identity.hints.isEmpty
            ? "Sign in with the provider you used before"
            : "You have an account that opens with \(identity.hints.map(\.description).joined(separator: " or "))"
        return "Nobody has signed up with this \(identity.provider) identity. \(hint), or create a new account."
    }
}

extension HTTPResponse.Status {
    /// Status 507 (RFC 4918 section 11.5).
    static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}
