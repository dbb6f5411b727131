import Foundation
import ObjectStorage
import PhotoCatalog
import PhotoSync
import PhotolalaAPI

/// Maps errors of the library to errors of the SDK.
extension PhotolalaError {
    init(_ error: BackupError, folder: URL?) {
        switch error {
        case .source(.server(let error)): self.init(error)
        case .source(let error):
            self.init(
                code: .folderUnusable, detail: "Cannot read the photo source: \(error.message).",
                cause: FailureCause(error))
        case .folder(let error): self.init(error, folder: folder)
        case .state(let error, let path): self.init(state: error, at: path)
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

    /// Maps an error of an export.
    init(exporting error: any Error, to file: URL) {
        switch error {
        case let error as PhotolalaError: self = error
        case let error as CatalogError: self.init(error)
        case let error as ObjectStoreError: self.init(error)
        case LibraryExportError.file(.cancelled), is CancellationError:
            self.init(code: .cancelled, detail: "Cancelled.")
        case LibraryExportError.file(let error):
            let reason = error == .missing ? "no such folder" : error.message
            self.init(
                code: .fileUnusable, detail: "Cannot write \(file.path): \(reason).", cause: FailureCause(error))
        case LibraryExportError.busy:
            self.init(code: .fileUnusable, detail: "Another export to \(file.path) is running.")
        case LibraryExportError.notThisExport(let path):
            self.init(
                code: .fileUnusable,
                detail: "\(path) is not an unfinished export of this account. Remove it, or choose another file.")
        default: self.init(code: .internalError, detail: "Cannot export: unexpected error: \(error).")
        }
    }

    /// Maps an error of an import.
    init(importing error: any Error, from file: URL) {
        switch error {
        case let error as CatalogError: self.init(error)
        case LibraryImportError.file(.cancelled), is CancellationError:
            self.init(code: .cancelled, detail: "Cancelled.")
        case LibraryImportError.file(let error) where error != .wrongKind || LocalFolder.isFolder(file.path) != true:
            self.init(reading: file.path, error)
        case LibraryImportError.incomplete:
            self.init(
                code: .fileUnusable,
                detail: "\(file.path) is not complete. Download the export again, or continue its download.")
        case LibraryImportError.hiddenUnreadable:
            self.init(
                code: .fileUnusable,
                detail:
                    "\(file.path) does not say which photos are hidden: its file account/files/hidden.json is damaged, or of a newer version. To import all photos unhidden, unpack the export, and back up its photos folder without the .json files."
            )
        case LibraryImportError.notAnExport, LibraryImportError.file:
            self.init(
                code: .fileUnusable,
                detail: "\(file.path) is not a Photolala export (ZIP).",
                cause: FailureCause(.notAnExport)
            )
        default: self.init(code: .internalError, detail: "Cannot import: unexpected error: \(error).")
        }
    }

    /// Maps an error of a file that is imported.
    init(reading path: String, _ error: FileError) {
        // A link that leads nowhere is opened as a link.
        let isMissing = error == .wrongKind && LocalFolder.isFolder(path) == nil
        let kind = error == .wrongKind ? LocalFolder.otherKind(path) : nil
        let reason = kind?.failure ?? (isMissing ? FileError.missing : error).failure
        self.init(code: .fileUnusable, detail: "Cannot read \(path): \(reason.text).", cause: FailureCause(reason))
    }

    /// - Parameter location: The library or the trash.
    init(_ error: SelectionError, in location: String = "library") {
        switch error {
        case .catalog(let error): self.init(error)
        case .unknownPaths(let paths, let trashed):
            let more = paths.count > 3 ? " and \(paths.count - 3) more" : ""
            let named = paths.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
            let place = trashed.first.map {
                paths.count == 1
                    ? " It is in the trash." : " In the trash: “\($0)”\(trashed.count > 1 ? " and others" : "")."
            }
            let cause: FailureCause? =
                switch location {
                case "library":
                    trashed.first.map { FailureCause(.inTrash, ["path": $0]) } ?? FailureCause(.notInLibrary)
                case "library or trash": FailureCause(.notInLibrary)
                case "trash": FailureCause(.notInTrash)
                default: nil
                }
            self.init(
                code: .notFound, detail: "Not found in your \(location): \(named)\(more).\(place ?? "")", cause: cause)
        case .unknownAlbum(let text):
            self.init(
                code: .notFound, detail: "Your library has no album “\(text)”.", cause: FailureCause(.unknownAlbum))
        case .ambiguousAlbum(let text, let ids):
            self.init(
                code: .invalidRequest,
                detail:
                    "Several albums are named “\(text)”. Use an ID: \(ids.map(\.description).joined(separator: ", ")).")
        case .folderPath(let path):
            self.init(
                code: .invalidRequest, detail: "“\(path)” is a folder of your \(location). Give the path of one photo.")
        case .unknownVersion(let id):
            self.init(code: .notFound, detail: "Your \(location) has no version with an ID that starts with \(id).")
        case .ambiguousVersion(let id):
            self.init(
                code: .invalidRequest,
                detail: "More than one version has an ID that starts with \(id). Use more digits.")
        }
    }

    init(_ error: CatalogError) {
        let (code, detail): (ErrorCode, String)
        switch error {
        case .store(let error):
            self.init(error)
            return
        case .contended:
            (code, detail) = (.temporarilyUnavailable, "The catalog was not updated: \(error.message).")
        case .purging:
            code = .temporarilyUnavailable
            detail =
                "The catalog was not updated: \(error.message). Uploads are kept. Try again when it has ended; "
                + "if it broke off, in 40 minutes at most."
        case .notRecorded: (code, detail) = (.localStorageFailed, "Nothing was changed: \(error.message).")
        case .full: (code, detail) = (.catalogUnusable, "The catalog was not updated: \(error.message).")
        case .document(let name, .full):
            (code, detail) = (.catalogUnusable, "The \(name.rawValue) were not changed: \(error.message).")
        case .document(let name, _):
            (code, detail) = (.catalogUnusable, "Cannot use the \(name.content): \(error.message).")
        case .unknownAlbum: (code, detail) = (.notFound, "The album was deleted.")
        case .albumNameTaken: (code, detail) = (.invalidRequest, "Another album has this name.")
        default:
            code = error.isDamage ? .catalogDamaged : .catalogUnusable
            detail = "Cannot read the catalog: \(error.message)."
        }
        self.init(code: code, detail: detail, cause: FailureCause(error))
    }

    init(_ error: ObjectStoreError) {
        let code: ErrorCode =
            switch error {
            case .unavailable, .outcomeUnknown, .conflict, .preconditionFailed: .temporarilyUnavailable
            case .outOfSpace: .outOfSpace
            case .quotaExceeded: .quotaExceeded
            default: .photoStoreFailed
            }
        self.init(code: code, detail: "Operation failed: \(error.message).", cause: FailureCause(error))
    }

    init(_ stop: TransferStop) {
        switch stop {
        case .denied: self.init(ObjectStoreError.denied(""))
        case .storeFull:
            self.init(
                code: .outOfSpace, detail: "Stopped: the photo store is full.",
                cause: FailureCause(ObjectStoreError.outOfSpace))
        case .overQuota:
            self.init(
                code: .quotaExceeded,
                detail:
                    "Stopped: quota exceeded. Delete photos permanently or upgrade your plan. Uploaded files are kept, "
                    + "and nothing on this device was changed.")
        case .folder(let error):
            self.init(
                code: error == .outOfSpace ? .outOfSpace : .folderUnusable, detail: "Stopped: \(error.message).",
                cause: FailureCause(error))
        case .state(let error, let path):
            self.init(state: error, at: path)
            detail = "Stopped. \(detail)"
        case .source(.server(let error)):
            self.init(error)
            detail = "Stopped: \(error.reason)." + (error.advice.map { " \($0)" } ?? "")
        case .source(let error):
            self.init(
                code: .folderUnusable, detail: "Stopped: photo source: \(error.message).", cause: FailureCause(error))
        case .storeUnavailable: self.init(ObjectStoreError.unavailable(""))
        case .catalog(let error): self.init(error)
        }
    }

    private init(state error: FileError, at path: String) {
        self.init(
            code: error == .outOfSpace ? .outOfSpace : .localStorageFailed,
            detail: "Cannot use the state of this device, \(path): \(error.message).", cause: FailureCause(error))
    }

    private init(_ error: FileError, folder: URL?) {
        let reason =
            switch error {
            case .missing: "no such folder"
            case .wrongKind: "not a folder"
            default: error.message
            }
        self.init(
            code: error == .outOfSpace ? .outOfSpace : .folderUnusable,
            detail: "Cannot use \(folder?.path ?? "the folder"): \(reason).", cause: FailureCause(error))
    }
}
