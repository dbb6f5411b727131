import Foundation
import PhotolalaAPI
import Subscriptions

@testable import UseCases

extension ServiceError {
    /// One error of each case.
    static let examples: [ServiceError] = {
        var all: [ServiceError] = []
        var next: ServiceError? = .invalidRequest("")
        while let error = next {
            all.append(error)
            next = error.following
        }
        return all
    }()

    /// The error of the next case. A new case does not compile without a place here.
    private var following: ServiceError? {
        switch self {
        case .invalidRequest: .unknownProvider(.apple)
        case .unknownProvider: .invalidToken(.badSignature)
        case .invalidToken: .invalidEvent(.badSignature)
        case .invalidEvent: .challengeRequired
        case .challengeRequired: .invalidChallenge(.expired)
        case .invalidChallenge: .invalidPendingIdentity(.expired)
        case .invalidPendingIdentity: .invalidCode("")
        case .invalidCode: .unknownApp
        case .unknownApp: .authorizationPending
        case .authorizationPending: .slowDown
        case .slowDown: .deviceDenied
        case .deviceDenied: .deviceMismatch
        case .deviceMismatch: .unauthorized("")
        case .unauthorized: .invalidDPoPProof("")
        case .invalidDPoPProof: .nonceRequired
        case .nonceRequired: .sessionEnded
        case .sessionEnded: .refreshTokenReused
        case .refreshTokenReused: .reauthenticationRequired
        case .reauthenticationRequired: .continueNotAllowed
        case .continueNotAllowed: .formOutdated
        case .formOutdated: .noAccountFound(.example)
        case .noAccountFound: .accountAlreadyExists
        case .accountAlreadyExists: .providerAlreadyLinked
        case .providerAlreadyLinked: .lastProvider
        case .lastProvider: .unlinkPending
        case .unlinkPending: .identityTooNew
        case .identityTooNew: .accountDisabled
        case .accountDisabled: .accountDeleting
        case .accountDeleting: .noDeletionScheduled
        case .noDeletionScheduled: .tooManyLinks
        case .tooManyLinks: .notFound
        case .notFound: .preconditionFailed
        case .preconditionFailed: .profileUnreadable
        case .profileUnreadable: .storageReadOnly
        case .storageReadOnly: .quotaExceeded(used: 1, limit: 1)
        case .quotaExceeded: .catalogDamaged("")
        case .catalogDamaged: .catalogUnusable("")
        case .catalogUnusable: .purchasesNotConfigured
        case .purchasesNotConfigured: .sharingDisabled
        case .sharingDisabled: .invalidTransaction(.badSignature)
        case .invalidTransaction(let error):
            error.following.map { .invalidTransaction($0) } ?? .invalidNotification(.badSignature)
        case .invalidNotification: .unknownProduct("")
        case .unknownProduct: .subscriptionOwnedByOther
        case .subscriptionOwnedByOther: .invalidMoveTicket
        case .invalidMoveTicket: .familyShared
        case .familyShared: .transactionTooOld
        case .transactionTooOld: .unavailable("")
        case .unavailable: .clockIsBehind
        case .clockIsBehind: .storeFault(.diskFull)
        case .storeFault: .outOfSpace
        case .outOfSpace: .rateLimited(retryAfter: 1)
        case .rateLimited: .overloaded(retryAfter: 1)
        case .overloaded: .internal("")
        case .internal: nil
        }
    }
}

extension SignedDataError {
    /// The error of the next case, beginning with `badSignature`.
    fileprivate var following: SignedDataError? {
        switch self {
        case .badSignature: .malformed("")
        case .malformed: .algorithmRefused
        case .algorithmRefused: .untrustedChain("")
        case .untrustedChain: .expiredChain
        case .expiredChain: .otherApp
        case .otherApp: .otherEnvironment("Sandbox")
        case .otherEnvironment: .notCurrent
        case .notCurrent: .notASubscription
        case .notASubscription: .unavailable("")
        case .unavailable: nil
        }
    }
}

extension UnknownIdentity {
    fileprivate static let example = UnknownIdentity(
        provider: .apple, pendingIdentity: "", expiresAt: Date(timeIntervalSince1970: 0), hints: [])
}
