/// The stable name of the reason why one file failed or was left out. The set may grow; for an unknown name, show
/// ``FileFailure/reason``.
public struct FailureCode: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, in snake case.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name, in snake case.
    public var description: String { rawValue }

    private init(_ name: String) { rawValue = name }

    /// The file or folder does not exist.
    public static let fileMissing = FailureCode("file_missing")
    /// The system denies access to the file or folder.
    public static let permissionDenied = FailureCode("permission_denied")
    /// The file system is read-only.
    public static let readOnlyFileSystem = FailureCode("read_only_file_system")
    /// Another file has the name.
    public static let fileExists = FailureCode("file_exists")
    /// Another process writes the file. A later run includes it.
    public static let fileInUse = FailureCode("file_in_use")
    /// A folder is in place of a file, or the other way round.
    public static let wrongFileType = FailureCode("wrong_file_type")
    /// The file name is too long.
    public static let nameTooLong = FailureCode("name_too_long")
    /// The file name is too long, starts with `%%` like an encoded name, or, in an export of another service, is not UTF-8.
    /// It must be renamed.
    public static let reservedName = FailureCode("reserved_name")
    /// No space is left on this device.
    public static let deviceFull = FailureCode("device_full")
    /// The file system does not support the operation.
    public static let notSupported = FailureCode("not_supported")
    /// The folder's `.photolalaignore` cannot be used. `line` is the number of the first invalid line, if it is known.
    public static let ignoreFileInvalid = FailureCode("ignore_file_invalid")
    /// Another error of the system; `errno` is its number.
    public static let systemError = FailureCode("system_error")
    /// Other users can read the file or folder `path`, so its contents may be compromised.
    public static let readableByOthers = FailureCode("readable_by_others")
    /// The file or folder `path` is owned by another user.
    public static let ownedByAnotherUser = FailureCode("owned_by_another_user")
    /// The secret in the file `path` is damaged, or sealed with another key.
    public static let secretUnreadable = FailureCode("secret_unreadable")
    /// A file that this device stores for itself is damaged: `path`, if it is a file of its own.
    public static let localFileDamaged = FailureCode("local_file_damaged")
    /// The stored session belongs to another server, `server`.
    public static let sessionOfAnotherServer = FailureCode("session_of_another_server")
    /// The file or folder `path` cannot be removed.
    public static let notRemoved = FailureCode("not_removed")
    /// The `file` of the catalog is missing in the store.
    public static let catalogFileMissing = FailureCode("catalog_file_missing")
    /// The catalog is damaged: a `file` of it, or a `row` or `column` of its newest snapshot.
    public static let catalogFileDamaged = FailureCode("catalog_file_damaged")
    /// A newer version of Photolala is required to read the catalog, or a list beside it such as the favorites.
    public static let newerVersionRequired = FailureCode("newer_version_required")
    /// The library has the maximum number of photos, favorites, hidden photos or albums.
    public static let catalogFull = FailureCode("catalog_full")
    /// The library has no photo at a path, and no folder.
    public static let notInLibrary = FailureCode("not_in_library")
    /// The library has no photo at the `path`, but the trash has.
    public static let inTrash = FailureCode("in_trash")
    /// The trash has no photo at a path, and no folder.
    public static let notInTrash = FailureCode("not_in_trash")
    /// The library has no such album.
    public static let unknownAlbum = FailureCode("unknown_album")
    /// Another album has the name.
    public static let albumNameTaken = FailureCode("album_name_taken")
    /// A purge of the trash or a repair of the catalog is in progress. A later attempt may succeed.
    public static let purgeInProgress = FailureCode("purge_in_progress")
    /// This device cannot record a change so that it can be undone.
    public static let undoNotRecorded = FailureCode("undo_not_recorded")
    /// The Keychain failed; `status` is its number.
    public static let keychainFailed = FailureCode("keychain_failed")
    /// A framework of the platform failed, such as StoreKit: `domain` and `number` are those of its `NSError`, and `message`
    /// is its own description, in the language of the device.
    public static let platformError = FailureCode("platform_error")
    /// The operation was cancelled.
    public static let cancelled = FailureCode("cancelled")
    /// The file was changed while it was read. A later run includes it.
    public static let changedWhileRead = FailureCode("changed_while_read")
    /// The photo source no longer has the asset.
    public static let assetMissing = FailureCode("asset_missing")
    /// The app has no access to the photo library.
    public static let photoAccessDenied = FailureCode("photo_access_denied")
    /// The asset is not on this device, and cannot be downloaded now.
    public static let assetNotDownloaded = FailureCode("asset_not_downloaded")
    /// The photo source failed; `message` is its own description.
    public static let sourceFailed = FailureCode("source_failed")
    /// The folder is empty now. Its disk may not be mounted.
    public static let folderEmptied = FailureCode("folder_emptied")
    /// The photo source has no photos now. The app's access may have been limited.
    public static let sourceEmptied = FailureCode("source_emptied")
    /// Another asset of the source has the same path.
    public static let repeatedPath = FailureCode("repeated_path")
    /// The key of the other service lacks the `permission` that the import needs.
    public static let permissionMissing = FailureCode("permission_missing")
    /// The other service does not accept the key.
    public static let keyRefused = FailureCode("key_refused")
    /// The address is not that of the expected service.
    public static let wrongService = FailureCode("wrong_service")
    /// The other service redirects, to `location` if it says where. A key is sent only to the given address.
    public static let redirected = FailureCode("redirected")
    /// The `version` of the other service is not supported.
    public static let unsupportedVersion = FailureCode("unsupported_version")
    /// The other service answered the request `request` with something else than it documents, or with more than is read.
    public static let unexpectedAnswer = FailureCode("unexpected_answer")
    /// The other service failed with the HTTP status `status`.
    public static let serviceFailed = FailureCode("service_failed")
    /// The other service cannot be reached at `address` for the reason `message`, is not trusted, does not respond, or limits
    /// requests; the error's code tells which.
    public static let serviceUnavailable = FailureCode("service_unavailable")
    /// The favorites were not stored.
    public static let favoritesNotStored = FailureCode("favorites_not_stored")
    /// The hidden photos of an import were not stored.
    public static let hiddenNotStored = FailureCode("hidden_not_stored")
    /// The albums of an import were not stored.
    public static let albumsNotStored = FailureCode("albums_not_stored")
    /// The given folder does not exist.
    public static let noSuchFolder = FailureCode("no_such_folder")
    /// The given folder cannot be used.
    public static let folderUnusable = FailureCode("folder_unusable")
    /// The file is not a photo or video.
    public static let notMedia = FailureCode("not_media")
    /// A pattern ignores the file.
    public static let ignored = FailureCode("ignored")
    /// The photo or video is damaged, or has an unknown format.
    public static let unknownFormat = FailureCode("unknown_format")
    /// The file is empty.
    public static let emptyFile = FailureCode("empty_file")
    /// The sidecar's photo is missing.
    public static let sidecarWithoutPhoto = FailureCode("sidecar_without_photo")
    /// Symbolic links are not followed.
    public static let symbolicLink = FailureCode("symbolic_link")
    /// The content was permanently deleted from the library. A renamed file is backed up again.
    public static let deleted = FailureCode("deleted")
    /// The file is a device, pipe or socket.
    public static let specialFile = FailureCode("special_file")
    /// The file is no photo any more; the library keeps the photo. `cause` is the code of why.
    public static let keptInLibrary = FailureCode("kept_in_library")
    /// Another process or device changed the object. A later attempt may succeed.
    public static let concurrentWrite = FailureCode("concurrent_write")
    /// The photo store is unavailable. A later attempt may succeed.
    public static let photoStoreUnavailable = FailureCode("photo_store_unavailable")
    /// The connection to the photo store was lost.
    public static let outcomeUnknown = FailureCode("outcome_unknown")
    /// The photo store denies access.
    public static let accessDenied = FailureCode("access_denied")
    /// The photo store is full.
    public static let photoStoreFull = FailureCode("photo_store_full")
    /// The quota is exceeded.
    public static let quotaExceeded = FailureCode("quota_exceeded")
    /// The file exceeds the size limit of the photo store.
    public static let tooLarge = FailureCode("too_large")
    /// The stored photo has another length than the catalog says.
    public static let unexpectedLength = FailureCode("unexpected_length")
    /// The upload ended early.
    public static let uploadIncomplete = FailureCode("upload_incomplete")
    /// The bytes have another checksum than expected.
    public static let checksumMismatch = FailureCode("checksum_mismatch")
    /// The stored photo is damaged.
    public static let photoDamaged = FailureCode("photo_damaged")
    /// The photo store does not have the photo.
    public static let photoMissing = FailureCode("photo_missing")
    /// The photo is damaged in the archive that was imported.
    public static let damagedInArchive = FailureCode("damaged_in_archive")
    /// The file is encrypted in the archive that was imported.
    public static let encryptedInArchive = FailureCode("encrypted_in_archive")
    /// The file is compressed by an unknown method in the archive that was imported.
    public static let unknownCompression = FailureCode("unknown_compression")
    /// The file in the archive that was imported has a size that no photo or video can have.
    public static let suspiciousSize = FailureCode("suspicious_size")
    /// The file is no export of Photolala.
    public static let notAnExport = FailureCode("not_an_export")
    /// The archive in a folder of an export cannot be read, or is no ZIP archive.
    public static let archiveUnreadable = FailureCode("archive_unreadable")
    /// The folder of an export is nested too deeply.
    public static let nestedTooDeeply = FailureCode("nested_too_deeply")
    /// The photo is archived, and must be requested first.
    public static let photoArchived = FailureCode("photo_archived")
    /// The photo was requested from the archive.
    public static let retrievalRequested = FailureCode("retrieval_requested")
    /// The retrieval from the archive is in progress.
    public static let retrievalInProgress = FailureCode("retrieval_in_progress")
    /// The photo was retrieved from the archive. Another attempt reads it.
    public static let retrieved = FailureCode("retrieved")
    /// Expedited retrieval is not available.
    public static let speedUnavailable = FailureCode("speed_unavailable")
    /// The photo store does not support retrieval requests.
    public static let notRetrievable = FailureCode("not_retrievable")
    /// The retrieval request failed.
    public static let retrievalFailed = FailureCode("retrieval_failed")
    /// A reason that this version does not know.
    public static let other = FailureCode("other")
}
