import PhotolalaAPI

/// The codes of errors that occur before or without a response from the server.
extension ErrorCode {
    /// No account is signed in on this device, or another one than when the operation began: nothing was sent.
    public static let notSignedIn = ErrorCode(rawValue: "not_signed_in")
    /// The user has not decided about this device yet.
    public static let authorizationPending = ErrorCode(rawValue: "authorization_pending")
    /// The device polls too often. The polling interval increases by 5 seconds.
    public static let slowDown = ErrorCode(rawValue: "slow_down")
    /// The request was not sent: the address is wrong, the server is down or there is no network.
    public static let serverUnreachable = ErrorCode(rawValue: "server_unreachable")
    /// The request was not sent: the server's certificate is invalid, or its public key is not pinned (`ServerPins`).
    /// On Apple platforms an invalid certificate is a lost connection for a network without pins.
    public static let serverNotTrusted = ErrorCode(rawValue: "server_not_trusted")
    /// The pins are not usable.
    public static let unusablePins = ErrorCode(rawValue: "unusable_pins")
    /// The text is not the pairing code of a server in pairing mode.
    public static let unusablePairingCode = ErrorCode(rawValue: "unusable_pairing_code")
    /// The connection broke, the request timed out, or the task was cancelled after the request was sent. The server may
    /// or may not have performed the action.
    public static let outcomeUnknown = ErrorCode(rawValue: "outcome_unknown")
    /// The connection broke or the request timed out for a call that is safe to repeat.
    public static let noResponse = ErrorCode(rawValue: "no_answer")
    /// The address responds, but not as a Photolala server.
    public static let notPhotolala = ErrorCode(rawValue: "not_a_photolala_server")
    /// The address is malformed, or would send tokens unencrypted over a network.
    public static let unusableAddress = ErrorCode(rawValue: "unusable_address")
    /// An account is already signed in on this device; sign it out first.
    public static let alreadySignedIn = ErrorCode(rawValue: "already_signed_in")
    /// The device's stored description or session is unusable: damaged, sealed with another key or readable by other
    /// users. `ProfileDirectory.forgetUnusable()`, or `forgetUnusable(in:)` for another storage than sealed files, removes
    /// it so that a new sign-in is possible.
    public static let localStateUnusable = ErrorCode(rawValue: "local_state_unusable")
    /// The system's sheet or window for a provider's sign-in failed.
    public static let providerSignInFailed = ErrorCode(rawValue: "provider_sign_in_failed")
    /// The App Store did not complete the purchase.
    public static let purchaseFailed = ErrorCode(rawValue: "purchase_failed")
    /// The identity opens another account than the expected one, for example than that of the earlier version of the app.
    public static let anotherAccount = ErrorCode(rawValue: "another_account")
    /// The device's session belongs to another server.
    public static let anotherServer = ErrorCode(rawValue: "another_server")
    /// The device cannot read or write its local state.
    public static let localStorageFailed = ErrorCode(rawValue: "local_storage_failed")
    /// The photo store rejected the request or failed, for a reason other than authentication.
    public static let photoStoreFailed = ErrorCode(rawValue: "photo_store_failed")
    /// The folder to back up or to restore to is unusable.
    public static let folderUnusable = ErrorCode(rawValue: "folder_unusable")
    /// The archive to export to or to import from is unusable.
    public static let fileUnusable = ErrorCode(rawValue: "file_unusable")
    /// Another sync of the folder is running, on this device or on another one that shares the folder, another import of the
    /// same Immich account, or another creation of previews on this device.
    public static let syncUnderWay = ErrorCode(rawValue: "sync_under_way")
    /// A folder above or inside the given one is already synced.
    public static let nestedFolders = ErrorCode(rawValue: "nested_folders")
    /// The photo is not in the cache, and the call must not download it.
    public static let notCached = ErrorCode(rawValue: "not_cached")
    /// This device has no complete copy of the catalog, so it cannot show the library offline.
    public static let noCatalogCopy = ErrorCode(rawValue: "no_catalog_copy")
    /// The download of a folder's first sync was not confirmed. Nothing was changed.
    public static let downloadNotConfirmed = ErrorCode(rawValue: "download_not_confirmed")
    /// The photo is archived and must be requested from the archive first: `PhotolalaLibrary.recall`.
    public static let photoArchived = ErrorCode(rawValue: "photo_archived")
    /// The stored photo or thumbnail is damaged or missing.
    public static let photoDamaged = ErrorCode(rawValue: "photo_damaged")
    /// The photo cache has no room for the photo.
    public static let cacheTooSmall = ErrorCode(rawValue: "cache_too_small")
    /// The preference `uploadQuality` has a value that the app does not implement.
    public static let uploadQualityUnsupported = ErrorCode(rawValue: "upload_quality_unsupported")
    /// The operation was cancelled.
    public static let cancelled = ErrorCode(rawValue: "cancelled")
}

extension PhotolalaError {
    static let notSignedIn = PhotolalaError(code: .notSignedIn, detail: "Not signed in on this device.")

    static let incompleteCatalogCopy = PhotolalaError(
        code: .noCatalogCopy, detail: "This device's copy of the catalog is incomplete.")

    static func notCached(_ photo: LibraryPhoto) -> PhotolalaError {
        PhotolalaError(code: .notCached, detail: "\(photo.path) is not in this device's cache.")
    }

    static func anotherAccount(_ user: UserID) -> PhotolalaError {
        PhotolalaError(code: .anotherAccount, detail: "Account \(user) is not the expected one.")
    }

    init(local error: SecretStorageError) {
        self.init(
            code: error.isUnusable ? .localStateUnusable : .localStorageFailed, detail: error.detail, cause: error.cause
        )
    }
}
