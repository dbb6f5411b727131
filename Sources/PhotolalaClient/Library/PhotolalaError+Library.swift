import Foundation
import ObjectStorage
import PhotoCatalog
import PhotoSync
import PhotolalaAPI

/// Maps errors of the library to errors of the SDK.
extension PhotolalaError {
    init(_ error: BackupError, folder: URL?) {
        switch error {
        case .folder(let error): self.init(error, folder: folder)
        case .catalog(let error): self.init(error)
        case .store(let error): self.init(error)
        case .cancelled: self.init(code: .cancelled, detail: "Cancelled.")
        }
    }

    init(_ error: RestoreError, folder: URL) {
        switch error {
        case .folder(let error): self.init(error, folder: folder)
        case .selection(let error): self.init(error)
        case .cancelled: self.init(code: .cancelled, detail: "Cancelled.")
        }
    }

    /// - Parameter place: The library or the trash.
    init(_ error: SelectionError, in place: String = "library") {
        switch error {
        case .catalog(let error): self.init(error)
        case .unknownPaths(let paths):
            let more = paths.count > 3 ? " and \(paths.count - 3) more" : ""
            let named = paths.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
            self.init(code: .notFound, detail: "Your \(place) has no \(named)\(more).")
        case .unknownVersion(let id):
            self.init(code: .notFound, detail: "Your \(place) has no version there whose id begins with \(id).")
        case .ambiguousVersion(let id):
            self.init(
                code: .invalidRequest,
                detail: "Several versions have an id that begins with \(id). Add further digits of their MD5.")
        }
    }

    init(_ error: CatalogError) {
        switch error {
        case .store(let error): self.init(error)
        case .contended:
            self.init(code: .temporarilyUnavailable, detail: "The catalog was not moved on: \(error.message).")
        case .purging:
            self.init(
                code: .temporarilyUnavailable,
                detail: "Not done: \(error.message). Run it again in some minutes; nothing that was sent is lost."
            )
        case .full:
            self.init(code: .catalogUnusable, detail: "The catalog was not moved on: \(error.message).")
        default:
            self.init(
                code: error.isDamage ? .catalogDamaged : .catalogUnusable,
                detail: "The catalog in the photo store cannot be read: \(error.message)."
            )
        }
    }

    init(_ error: ObjectStoreError) {
        let code: ErrorCode =
            switch error {
            case .unavailable, .outcomeUnknown, .conflict, .preconditionFailed: .temporarilyUnavailable
            case .outOfSpace: .outOfSpace
            case .quotaExceeded: .quotaExceeded
            default: .photoStoreFailed
            }
        self.init(code: code, detail: "Not done: \(error.message).")
    }

    init(_ stop: TransferStop) {
        switch stop {
        case .denied: self.init(ObjectStoreError.denied(""))
        case .outOfSpace:
            self.init(code: .outOfSpace, detail: "Stopped: the photo store's disk or this device's is full.")
        case .overQuota:
            self.init(
                code: .quotaExceeded,
                detail:
                    "Stopped: your storage has no room left. Delete photos for good, or get a larger plan. What was "
                    + "sent is safe, and nothing on this device was changed.")
        case .folder(let error): self.init(code: .folderUnusable, detail: "Stopped at the folder: \(error.message).")
        case .storeUnavailable: self.init(ObjectStoreError.unavailable(""))
        case .catalog(let error): self.init(error)
        }
    }

    private init(_ error: FileError, folder: URL?) {
        let words =
            switch error {
            case .missing: "there is no such folder"
            case .wrongKind: "it is a file, not a folder"
            default: error.message
            }
        self.init(code: .folderUnusable, detail: "Cannot use \(folder?.path ?? "the folder"): \(words).")
    }
}
