import Accounts
import LibraryExport
import ObjectStorage
import Operators
import PhotoCatalog
import Secrets
import Sessions
import Sharing
import StorageAccess
import Subscriptions

extension ServiceError {
    /// Maps an error of a domain module. This is the only mapping from domain errors to `ServiceError`.
    package init(_ error: any Error) {
        switch error {
        case let error as ServiceError: self = error
        case let error as AccountError: self.init(account: error)
        case let error as SessionError: self.init(session: error)
        case let error as ProfileError: self.init(profile: error)
        case let error as CatalogError: self.init(catalog: error)
        case SelectionError.catalog(let error): self.init(catalog: error)
        case SelectionError.unknownPaths, SelectionError.unknownVersion: self = .notFound
        case SelectionError.ambiguousVersion: self = .invalidRequest("Ambiguous version id. Send more characters.")
        case ExportError.tooLarge: self = .catalogUnusable("too large to export")
        case ExportError.tooManyDifferences: self = .catalogDamaged("the store does not have the photos that it lists")
        case ExportError.malformed(let what): self = .internal("malformed export: \(what)")
        case OperatorError.store(let error): self.init(store: error)
        case let error as SharingError: self.init(sharing: error)
        case let error as SubscriptionError: self.init(subscription: error)
        case let error as ObjectStoreError: self.init(store: error)
        case CredentialIssuerError.unavailable(let reason): self = .unavailable(reason)
        case CredentialIssuerError.refused(let reason): self = .internal(reason)
        case let error as SecretsError: self = .internal("\(error)")
        case is CancellationError: self = .unavailable("request cancelled")
        default: self = .internal("\(error)")
        }
    }

    /// Maps the failure of a challenge or of a pending identity.
    init(_ error: SealedStateError, else refused: (SealedStateError) -> ServiceError) {
        switch error {
        case .store(let error): self.init(store: error)
        case .secrets(let error): self = .internal("\(error)")
        case .notAuthentic, .expired, .alreadyUsed, .wrongPurpose, .nonceMismatch: self = refused(error)
        }
    }

    private init(account error: AccountError) {
        switch error {
        case .accountNotUsable, .sessionEnded: self = .sessionEnded
        case .authenticationEnded: self = .reauthenticationRequired
        case .identityTaken: self = .providerAlreadyLinked
        case .identityTokenOutdated: self = .invalidToken(.notCurrent)
        case .tooManyLinks: self = .tooManyLinks
        case .lastProvider: self = .lastProvider
        case .unlinkPending: self = .unlinkPending
        case .deletionScheduled: self = .accountDeleting
        case .noDeletionScheduled: self = .noDeletionScheduled
        case .noIdentityMove, .noSuchLink: self = .notFound
        case .signUpTooSlow: self = .unavailable("sign-up timed out")
        case .contended: self = .unavailable("too many concurrent changes to the account")
        case .identityHasLeft: self = .unavailable("unfinished move of an identity")
        case .bindingKeysUnavailable(let error): self = .internal("\(error)")
        case .corrupted(let what): self = .internal("corrupted: \(what)")
        case .store(let error): self.init(store: error)
        case .secrets(let error): self = .internal("\(error)")
        }
    }

    private init(session error: SessionError) {
        switch error {
        case .invalidToken(let reason): self = .unauthorized(reason)
        case .invalidDPoPProof(let what): self = .invalidDPoPProof(what)
        case .nonceRequired: self = .nonceRequired
        case .ended: self = .sessionEnded
        case .accountDisabled: self = .accountDisabled
        case .refreshTokenReused: self = .refreshTokenReused
        case .noSuchDevice: self = .notFound
        case .sessionProtected: self = .identityTooNew
        case .tooManyPendingEvents: self = .unavailable("pending audit events of the device not flushed yet")
        case .contended: self = .unavailable("too many concurrent changes to the device")
        case .corrupted(let what): self = .internal("corrupted: \(what)")
        case .store(let error): self.init(store: error)
        case .secrets(let error): self = .internal("\(error)")
        }
    }

    private init(profile error: ProfileError) {
        switch error {
        case .invalid(let reason): self = .invalidRequest(reason)
        case .preconditionFailed: self = .preconditionFailed
        case .unreadable: self = .profileUnreadable
        case .contended: self = .unavailable("too many concurrent changes to the profile")
        case .store(let error): self.init(store: error)
        }
    }

    private init(catalog error: CatalogError) {
        switch error {
        case .store(let error): self.init(store: error)
        case .contended: self = .unavailable("too many concurrent changes to the catalog")
        case .purging: self = .unavailable("trash purge in progress")
        case .unknownAlbum: self = .notFound
        case .albumNameTaken: self = .invalidRequest("Another album has this name.")
        case .document(.favorites, .full): self = .invalidRequest("The library has the maximum number of favorites.")
        case .document(.hidden, .full): self = .invalidRequest("The library has the maximum number of archived photos.")
        case .document(.albums, .full):
            self = .invalidRequest("The library has the maximum number of albums, or of photos in albums.")
        case .unknownColumns, .tooLarge, .full, .document(_, .newerVersion): self = .catalogUnusable("\(error)")
        default: self = .catalogDamaged("\(error)")
        }
    }

    private init(sharing error: SharingError) {
        switch error {
        case .tooManyLinks:
            self = .invalidRequest("The account has the maximum number of shared links.")
        case .notFound: self = .notFound
        case .contended: self = .unavailable("too many concurrent changes to the shared link")
        case .corrupted(let what): self = .internal("corrupted: \(what)")
        case .store(let error): self.init(store: error)
        }
    }

    private init(subscription error: SubscriptionError) {
        switch error {
        case .ownedByOther: self = .subscriptionOwnedByOther
        case .notFound: self = .notFound
        case .invalidTicket: self = .invalidMoveTicket
        case .familyShared: self = .familyShared
        case .contended: self = .unavailable("too many concurrent changes to the subscription")
        case .corrupted(let what): self = .internal("corrupted: \(what)")
        case .store(let error): self.init(store: error)
        case .secrets(let error): self = .internal("\(error)")
        }
    }

    private init(store error: ObjectStoreError) {
        switch error {
        case .conflict: self = .unavailable("too many concurrent writes to an object")
        case .unavailable(let reason), .outcomeUnknown(let reason): self = .unavailable(reason)
        case .outOfSpace, .quotaExceeded: self = .outOfSpace
        case .denied(let reason), .corrupted(let reason), .bodyFailed(let reason): self = .internal(reason)
        case .preconditionFailed, .tooLarge, .rangeNotSatisfiable, .digestMismatch, .archived:
            self = .internal("\(error)")
        }
    }
}

/// Runs a domain operation and maps its error to `ServiceError`.
func mapServiceErrors<Value: Sendable>(_ act: () async throws -> Value) async throws(ServiceError) -> Value {
    do {
        return try await act()
    } catch {
        throw ServiceError(error)
    }
}
