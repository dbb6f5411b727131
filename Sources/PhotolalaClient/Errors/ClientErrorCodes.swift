import PhotolalaAPI

/// The names of what goes wrong before or without an answer of the server.
extension ErrorCode {
    /// Nobody is signed in on this device.
    public static let notSignedIn = ErrorCode(rawValue: "not_signed_in")
    /// Nobody has let this device in yet, nor refused to.
    public static let authorizationPending = ErrorCode(rawValue: "authorization_pending")
    /// The device asks too often whether it was approved; it waits 5 seconds longer between questions from now on.
    public static let slowDown = ErrorCode(rawValue: "slow_down")
    /// The request never left: the address is wrong, the server is down or there is no network.
    public static let serverUnreachable = ErrorCode(rawValue: "server_unreachable")
    /// The connection broke on the way, or no answer came in time: the server may or may not have acted.
    public static let outcomeUnknown = ErrorCode(rawValue: "outcome_unknown")
    /// No answer came, in time or before the connection broke, to a call that is safe to repeat.
    public static let noAnswer = ErrorCode(rawValue: "no_answer")
    /// Something answers at the address, but it is no Photolala server.
    public static let notPhotolala = ErrorCode(rawValue: "not_a_photolala_server")
    /// The address is none, or would carry tokens in clear over a network.
    public static let unusableAddress = ErrorCode(rawValue: "unusable_address")
    /// An account is signed in on this device; sign it out first.
    public static let alreadySignedIn = ErrorCode(rawValue: "already_signed_in")
    /// What the device keeps of itself and its session cannot be used: it is damaged, sealed with another key or open to
    /// others. `ProfileDirectory.forgetUnusable` makes way for a new sign-in.
    public static let localStateUnusable = ErrorCode(rawValue: "local_state_unusable")
    /// The device's session belongs to another server.
    public static let anotherServer = ErrorCode(rawValue: "another_server")
    /// The device cannot read or write what it keeps.
    public static let localStorageFailed = ErrorCode(rawValue: "local_storage_failed")
    /// The photo store refused or failed; signing in is not the reason.
    public static let photoStoreFailed = ErrorCode(rawValue: "photo_store_failed")
    /// The folder to back up or to restore to cannot be used.
    public static let folderUnusable = ErrorCode(rawValue: "folder_unusable")
    /// Another sync of the folder is under way, on this device or on another that has the folder, too.
    public static let syncUnderWay = ErrorCode(rawValue: "sync_under_way")
    /// A folder above or inside the one to sync is synced, too.
    public static let nestedFolders = ErrorCode(rawValue: "nested_folders")
    /// The act was cancelled.
    public static let cancelled = ErrorCode(rawValue: "cancelled")
}

extension PhotolalaError {
    static let notSignedIn = PhotolalaError(code: .notSignedIn, detail: "Nobody is signed in on this device.")

    init(local error: SecretStorageError) {
        self.init(code: error.isUnusable ? .localStateUnusable : .localStorageFailed, detail: error.detail)
    }
}
