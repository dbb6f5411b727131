import Foundation
import ObjectStorage
import PhotoCatalog
import PhotoSync

/// The reason of a failure: a stable code, and a text for people.
struct FailureReason: Sendable, Equatable {
    let code: FailureCode
    let text: String
    /// Values that the text contains, by the names that the code's documentation states.
    let parameters: [String: String]

    init(_ code: FailureCode, _ text: String, _ parameters: [String: String] = [:]) {
        (self.code, self.text, self.parameters) = (code, text, parameters)
    }
}

/// A failure with a reason for people.
protocol DescribedFailure {
    var failure: FailureReason { get }
}

extension DescribedFailure {
    var message: String { failure.text }
}

/// Descriptions of file errors for people.
extension FileError: DescribedFailure {
    var failure: FailureReason {
        switch self {
        case .missing: FailureReason(.fileMissing, "no such file or folder")
        case .denied: FailureReason(.permissionDenied, "permission denied")
        case .readOnly: FailureReason(.readOnlyFileSystem, "read-only file system")
        case .exists: FailureReason(.fileExists, "already exists")
        case .inUse: FailureReason(.fileInUse, "being written by another process; try again later")
        case .wrongKind: FailureReason(.wrongFileType, "unexpected file type")
        case .nameTooLong: FailureReason(.nameTooLong, "file name too long")
        case .outOfSpace: FailureReason(.deviceFull, "no space left on this device")
        case .unsupported: FailureReason(.notSupported, "not supported by this file system")
        case .malformedIgnoreFile(let line?):
            FailureReason(
                .ignoreFileInvalid, "line \(line) of its .photolalaignore is not a valid pattern", ["line": "\(line)"])
        case .unusableIgnoreFile: FailureReason(.ignoreFileInvalid, "its .photolalaignore is not a regular file")
        case .malformedIgnoreFile(nil): FailureReason(.ignoreFileInvalid, "its .photolalaignore is larger than 64 KiB")
        case .cancelled: FailureReason(.cancelled, "cancelled")
        case .system(let code): FailureReason(.systemError, String(cString: strerror(code)), ["errno": "\(code)"])
        }
    }
}

extension BackupFailure: DescribedFailure {
    var failure: FailureReason {
        switch self {
        case .file(let error): error.failure
        case .changedWhileRead: FailureReason(.changedWhileRead, "changed while being read; try again later")
        case .store(let error): error.failure
        case .source(let error): error.failure
        case .leftOut(let reason): reason.failure
        }
    }
}

extension SourceError: DescribedFailure {
    var failure: FailureReason {
        switch self {
        case .missing: FailureReason(.assetMissing, "no longer in the photo library")
        case .denied: FailureReason(.photoAccessDenied, "no access to the photo library")
        case .notDownloaded:
            FailureReason(.assetNotDownloaded, "not on this device, and cannot be downloaded now; try again later")
        case .cancelled: FailureReason(.cancelled, "cancelled")
        case .platform(let domain, let number, let message):
            FailureReason(
                .platformError, "cannot be read: \(message)",
                ["domain": domain, "number": "\(number)", "message": message])
        case .failed(let reason): FailureReason(.sourceFailed, "cannot be read: \(reason)", ["message": reason])
        case .server(let error):
            FailureReason(FailureCause(immich: error).code, error.reason, FailureCause(immich: error).parameters ?? [:])
        }
    }
}

extension RestoreFailure: DescribedFailure {
    var failure: FailureReason {
        switch self {
        case .file(let error): error.failure
        case .notStored: FailureReason(.photoMissing, "not found in the photo store")
        case .contentMismatch, .store(.corrupted):
            FailureReason(.photoDamaged, "stored photo is damaged")
        case .store(let error): error.failure
        case .archived(let photo): photo.failure
        }
    }
}

extension ArchivedPhoto: DescribedFailure {
    var failure: FailureReason {
        switch self {
        case .notRequested: ObjectStoreError.archived.failure
        case .requested: FailureReason(.retrievalRequested, "requested from the archive")
        case .inProgress: FailureReason(.retrievalInProgress, "retrieval from the archive in progress")
        case .available: FailureReason(.retrieved, "retrieved from the archive; try again")
        case .tierUnavailable:
            FailureReason(.speedUnavailable, "expedited retrieval is not available; use standard or bulk")
        case .notRetrievable:
            FailureReason(.notRetrievable, "archived; this photo store does not support retrieval requests")
        case .refused(let error):
            FailureReason(.retrievalFailed, "archived; retrieval request failed: \(error.message)")
        }
    }
}

extension ScanProblem.Reason: DescribedFailure {
    var failure: FailureReason {
        switch self {
        case .file(let error): error.failure
        case .source(let error): error.failure
        case .unusableName:
            FailureReason(.reservedName, "file name too long, or starts with %% like an encoded name; rename it")
        case .changedWhileRead: BackupFailure.changedWhileRead.failure
        case .emptied: FailureReason(.folderEmptied, "folder is empty now; check that its disk is mounted")
        case .withoutAssets: FailureReason(.sourceEmptied, "no photos found now; check this app's access to photos")
        case .repeatedPath: FailureReason(.repeatedPath, "another photo of this source has the same path")
        case .favorites(let error): FailureReason(.favoritesNotStored, "favorites not stored: \(error.message)")
        case .hidden(let error): FailureReason(.hiddenNotStored, "hidden photos not stored: \(error.message)")
        case .albums(let error): FailureReason(.albumsNotStored, "albums not stored: \(error.message)")
        }
    }
}

extension LeftOutFile.Reason: DescribedFailure {
    var failure: FailureReason {
        switch self {
        case .noPhotoOrVideo: FailureReason(.notMedia, "not a photo or video")
        case .ignored: FailureReason(.ignored, "ignored")
        case .unknownFormat: FailureReason(.unknownFormat, "damaged or unknown photo or video format")
        case .empty: FailureReason(.emptyFile, "empty file")
        case .withoutPhoto: FailureReason(.sidecarWithoutPhoto, "sidecar without a photo")
        case .link: FailureReason(.symbolicLink, "symbolic link, not followed")
        case .deleted: FailureReason(.deleted, "permanently deleted from the library; rename to back up again")
        case .special: FailureReason(.specialFile, "device, pipe or socket")
        }
    }
}

extension ObjectStoreError: DescribedFailure {
    var failure: FailureReason {
        switch self {
        case .preconditionFailed, .conflict:
            FailureReason(.concurrentWrite, "changed by another process or device; try again")
        case .unavailable: FailureReason(.photoStoreUnavailable, "photo store unavailable")
        case .archived: FailureReason(.photoArchived, "archived; request it from the archive to restore it")
        case .outcomeUnknown: FailureReason(.outcomeUnknown, "lost connection to the photo store")
        case .denied: FailureReason(.accessDenied, "access denied by the photo store")
        case .outOfSpace: FailureReason(.photoStoreFull, "photo store is full")
        case .quotaExceeded: FailureReason(.quotaExceeded, "quota exceeded")
        case .tooLarge: FailureReason(.tooLarge, "file exceeds the size limit")
        case .rangeNotSatisfiable: FailureReason(.unexpectedLength, "unexpected length")
        case .bodyFailed: FailureReason(.uploadIncomplete, "incomplete upload")
        case .digestMismatch: FailureReason(.checksumMismatch, "checksum mismatch")
        case .corrupted: FailureReason(.photoDamaged, "stored photo is damaged")
        }
    }
}

extension CatalogError: DescribedFailure {
    var failure: FailureReason {
        switch self {
        case .store(let error): error.failure
        case .malformedPointer: damaged("damaged pointer .photolala.md5", ".photolala.md5")
        case .snapshotMissing(let digest):
            FailureReason(
                .catalogFileMissing, "missing snapshot .photolala.\(digest).csv", ["file": ".photolala.\(digest).csv"])
        case .snapshotDamaged(let digest):
            damaged("damaged snapshot .photolala.\(digest).csv", ".photolala.\(digest).csv")
        case .malformedRow(let row, _):
            FailureReason(.catalogFileDamaged, "damaged row \(row) in the newest snapshot", ["row": "\(row)"])
        case .unknownColumns: newer("written by a newer version of Photolala; update this one")
        case .missingColumn(let name):
            FailureReason(.catalogFileDamaged, "missing column “\(name)” in the newest snapshot", ["column": name])
        case .tooLarge: newer("too large for this version")
        case .full: FailureReason(.catalogFull, "maximum number of photos reached")
        case .contended: FailureReason(.concurrentWrite, "too many concurrent changes by other devices; try again")
        case .purging: FailureReason(.purgeInProgress, "conflict with a purge of the trash or a catalog repair")
        case .notRecorded: FailureReason(.undoNotRecorded, "cannot record the change for undo")
        case .document(let name, .damaged): damaged("damaged list of \(name.content) \(name.fileName)", name.fileName)
        case .document(let name, .newerVersion):
            newer("\(name.content) written by a newer version of Photolala; update this one")
        case .document(.favorites, .full): FailureReason(.catalogFull, "maximum number of favorites reached")
        case .document(.hidden, .full): FailureReason(.catalogFull, "maximum number of hidden photos reached")
        case .document(.albums, .full):
            FailureReason(.catalogFull, "maximum number of albums, or of photos in them, reached")
        case .unknownAlbum: FailureReason(.unknownAlbum, "the album does not exist")
        case .albumNameTaken: FailureReason(.albumNameTaken, "another album has the name")
        }
    }

    private func damaged(_ text: String, _ file: String) -> FailureReason {
        FailureReason(.catalogFileDamaged, text, ["file": file])
    }

    private func newer(_ text: String) -> FailureReason { FailureReason(.newerVersionRequired, text) }
}
