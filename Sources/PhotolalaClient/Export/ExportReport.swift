import Foundation
import PhotoCatalog
import PhotoSync

/// The result of an export.
public struct ExportReport: Sendable, Codable, Equatable {
    /// The archive.
    public let file: String
    /// The size of the archive in bytes; `nil` if it is not complete. The same call then continues it.
    public let bytes: Int64?
    /// When the archive was begun, if this call continued it: it has the library of that time, without later changes;
    /// `nil` for an archive that this call began.
    public let resumedFrom: Date?
    /// The number of photos of the library and its trash that the store has.
    public let photos: Int
    /// Whether the catalog is damaged: all stored photos are in the archive's folder `unlisted`, without their paths.
    public let isCatalogDamaged: Bool
    /// Photos that the library lists and the store does not have. They are not in the archive, which names them.
    public let missing: [FileFailure]
    /// Photos that are damaged in the store, and those that failed. Damaged ones are in the archive as far as they can
    /// be read, and it names them.
    public let failures: [FileFailure]
    /// The number of damaged photos among the failures.
    public let damagedPhotos: Int
    /// Photos that are not in the archive yet because they are archived in the store.
    public let archived: [ArchivedFile]
    /// The number of photos that this export requested from the store's archive.
    public let askedBackFiles: Int
    /// The number of seconds after which all photos requested by this export are usually available; `nil` if it
    /// requested none.
    public let comeAgainAfter: Int?
    /// Why the export stopped early; `nil` if every photo was tried.
    public let stopped: TransferStopReason?

    /// Whether the archive is complete, with every photo undamaged.
    public var isComplete: Bool { bytes != nil && missing.isEmpty && failures.isEmpty && !isCatalogDamaged }

    init(file: URL, summary: ExportSummary, stopped: TransferStopReason?) {
        let photos = RestoreReport(folder: file, summary: summary.photos, isDryRun: false, stopped: stopped)
        self.file = file.path
        bytes = summary.bytes
        resumedFrom = summary.resumedFrom
        self.photos = photos.wantedFiles
        isCatalogDamaged = summary.isCatalogDamaged
        missing = summary.missingPhotos.map {
            FileFailure($0.path, RestoreFailure.notStored)
        }
        failures = photos.failures
        damagedPhotos = photos.damagedFiles
        archived = photos.archived
        askedBackFiles = photos.askedBackFiles
        comeAgainAfter = photos.comeAgainAfter
        self.stopped = stopped
    }
}
