import Foundation
import ObjectStorage
import PhotoCatalog
import PhotoSync

/// Descriptions of file errors for people.
extension FileError {
    var message: String {
        switch self {
        case .missing: "it is not there (any more)"
        case .denied: "you have no permission"
        case .exists: "something of this name is there already"
        case .wrongKind: "it is not the kind of file or folder that belongs here"
        case .nameTooLong: "its name is too long for this file system"
        case .outOfSpace: "this device's disk is full"
        case .unsupported: "this file system cannot do it"
        case .cancelled: "cancelled"
        case .system(let code): String(cString: strerror(code))
        }
    }
}

extension BackupFailure {
    var message: String {
        switch self {
        case .file(let error): error.message
        case .changedWhileRead: "it was changed while it was read; back up again when it rests"
        case .store(let error): error.message
        }
    }
}

extension RestoreFailure {
    var message: String {
        switch self {
        case .file(let error): error.message
        case .notStored: "the store does not have it"
        case .contentMismatch, .store(.corrupted):
            "the stored photo is damaged"
        case .store(let error): error.message
        case .archived(let photo): photo.message
        }
    }
}

extension ArchivedPhoto {
    var message: String {
        switch self {
        case .notRequested: ObjectStoreError.archived.message
        case .requested: "asked back from its archive"
        case .inProgress: "asked back before, and on its way"
        case .available: "back from its archive just now; restore again"
        case .tierUnavailable: "its archive does not give it so fast; take standard or bulk"
        case .notRetrievable: "it is archived, and this photo store takes no requests to bring it back"
        case .refused(let error): "it is archived, and was not asked back: \(error.message)"
        }
    }
}

extension ScanProblem.Reason {
    var message: String {
        switch self {
        case .file(let error): error.message
        case .unusableName: "its name is too long, or begins with %% as the spelling of another name; rename it"
        case .changedWhileRead: BackupFailure.changedWhileRead.message
        case .emptied: "nothing is there any more; is its disk mounted?"
        }
    }
}

extension LeftOutFile.Reason {
    var message: String {
        switch self {
        case .noPhotoOrVideo: "no photo or video"
        case .unknownFormat: "named like a photo or video, but damaged or of an unknown format"
        case .empty: "it is empty"
        case .withoutPhoto: "its photo is not beside it"
        case .link: "a link; links are not followed"
        case .deleted: "it was deleted from the library for good; under another name it is a new photo"
        case .special: "a device, pipe or socket"
        }
    }
}

extension ObjectStoreError {
    var message: String {
        switch self {
        case .preconditionFailed, .conflict: "another device is writing the same"
        case .unavailable: "the photo store does not answer"
        case .archived: "it is archived; a restore that asks back brings it"
        case .outcomeUnknown: "the connection to the photo store broke"
        case .denied: "the photo store refuses it"
        case .outOfSpace: "the photo store is full"
        case .quotaExceeded: "your storage has no room for it"
        case .tooLarge: "it is larger than is taken"
        case .rangeNotSatisfiable: "it is not as long as it should be"
        case .bodyFailed: "it could not be sent whole"
        case .digestMismatch: "other bytes arrived than were sent"
        case .corrupted: "what the photo store has of it is damaged"
        }
    }
}

extension CatalogError {
    var message: String {
        switch self {
        case .store(let error): error.message
        case .malformedPointer: "its pointer .photolala.md5 is damaged"
        case .snapshotMissing(let digest): "its snapshot .photolala.\(digest).csv is missing"
        case .snapshotDamaged(let digest): "its snapshot .photolala.\(digest).csv is damaged"
        case .malformedRow(let row, _): "row \(row) of its newest snapshot is damaged"
        case .unknownColumns: "a newer Photolala wrote it; update this one"
        case .missingColumn(let name): "its newest snapshot has no column “\(name)”"
        case .tooLarge: "it is larger than this version reads"
        case .full: "it has as many photos as a library can have"
        case .contended: "other devices keep changing it; try again"
        case .purging: "photos are being deleted from the trash for good, or were since, or the catalog was repaired"
        }
    }
}
