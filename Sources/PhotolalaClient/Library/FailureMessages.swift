import Foundation
import ObjectStorage
import PhotoCatalog
import PhotoSync

/// Descriptions of file errors for people.
extension FileError {
    var message: String {
        switch self {
        case .missing: "no such file or folder"
        case .denied: "permission denied"
        case .exists: "already exists"
        case .wrongKind: "unexpected file type"
        case .nameTooLong: "file name too long"
        case .outOfSpace: "no space left on this device"
        case .unsupported: "not supported by this file system"
        case .malformedIgnoreFile(let line?): "line \(line) of its .photolalaignore is not a valid pattern"
        case .unusableIgnoreFile: "its .photolalaignore is not a regular file"
        case .malformedIgnoreFile(nil): "its .photolalaignore is larger than 64 KiB"
        case .cancelled: "cancelled"
        case .system(let code): String(cString: strerror(code))
        }
    }
}

extension BackupFailure {
    var message: String {
        switch self {
        case .file(let error): error.message
        case .changedWhileRead: "changed while being read; back up again later"
        case .store(let error): error.message
        case .source(let error): error.message
        case .leftOut(let reason): reason.message
        }
    }
}

extension SourceError {
    var message: String {
        switch self {
        case .missing: "no longer in the photo library"
        case .denied: "no access to the photo library"
        case .notDownloaded: "not on this device, and cannot be downloaded now; back up again later"
        case .cancelled: "cancelled"
        case .failed(let reason): "cannot be read: \(reason)"
        }
    }
}

extension RestoreFailure {
    var message: String {
        switch self {
        case .file(let error): error.message
        case .notStored: "not found in the photo store"
        case .contentMismatch, .store(.corrupted):
            "stored photo is damaged"
        case .store(let error): error.message
        case .archived(let photo): photo.message
        }
    }
}

extension ArchivedPhoto {
    var message: String {
        switch self {
        case .notRequested: ObjectStoreError.archived.message
        case .requested: "requested from the archive"
        case .inProgress: "retrieval from the archive in progress"
        case .available: "retrieved from the archive; restore again"
        case .tierUnavailable: "expedited retrieval isn't available; use standard or bulk"
        case .notRetrievable: "archived; this photo store does not support retrieval requests"
        case .refused(let error): "archived; retrieval request failed: \(error.message)"
        }
    }
}

extension ScanProblem.Reason {
    var message: String {
        switch self {
        case .file(let error): error.message
        case .source(let error): error.message
        case .unusableName: "file name too long, or starts with %% like an encoded name; rename it"
        case .changedWhileRead: BackupFailure.changedWhileRead.message
        case .emptied: "folder is empty now; check that its disk is mounted"
        case .withoutAssets: "no photos found now; check this app's access to photos"
        case .repeatedPath: "another photo of this source has the same path"
        case .favorites(let error): "not stored: \(error.message)"
        }
    }
}

extension LeftOutFile.Reason {
    var message: String {
        switch self {
        case .noPhotoOrVideo: "not a photo or video"
        case .ignored: "ignored"
        case .unknownFormat: "damaged or unknown photo or video format"
        case .empty: "empty file"
        case .withoutPhoto: "sidecar without a photo"
        case .link: "symbolic link, not followed"
        case .deleted: "permanently deleted from the library; rename to back up again"
        case .special: "device, pipe or socket"
        }
    }
}

extension ObjectStoreError {
    var message: String {
        switch self {
        case .preconditionFailed, .conflict: "changed by another process or device; try again"
        case .unavailable: "no response from the photo store"
        case .archived: "archived; request it from the archive to restore it"
        case .outcomeUnknown: "lost connection to the photo store"
        case .denied: "access denied by the photo store"
        case .outOfSpace: "photo store is full"
        case .quotaExceeded: "quota exceeded"
        case .tooLarge: "file exceeds the size limit"
        case .rangeNotSatisfiable: "unexpected length"
        case .bodyFailed: "incomplete upload"
        case .digestMismatch: "checksum mismatch"
        case .corrupted: "damaged in the photo store"
        }
    }
}

extension CatalogError {
    var message: String {
        switch self {
        case .store(let error): error.message
        case .malformedPointer: "damaged pointer .photolala.md5"
        case .snapshotMissing(let digest): "missing snapshot .photolala.\(digest).csv"
        case .snapshotDamaged(let digest): "damaged snapshot .photolala.\(digest).csv"
        case .malformedRow(let row, _): "damaged row \(row) in the newest snapshot"
        case .unknownColumns: "written by a newer version of Photolala; update this one"
        case .missingColumn(let name): "missing column “\(name)” in the newest snapshot"
        case .tooLarge: "too large for this version"
        case .full: "maximum number of photos reached"
        case .contended: "too many concurrent changes by other devices; try again"
        case .purging: "conflict with a purge of the trash or a catalog repair"
        case .notRecorded: "this device cannot record the change for undoing it"
        case .favoritesDamaged: "damaged list of favorites favorites.json"
        case .favoritesOfNewerVersion: "favorites written by a newer version of Photolala; update this one"
        }
    }
}
