import ObjectStorage

/// The reason why a catalog cannot be read or updated.
package enum CatalogError: Error, Equatable, Sendable {
    case store(ObjectStoreError)
    /// The pointer is not the MD5 of a snapshot.
    case malformedPointer
    /// The pointer names a snapshot that does not exist. This is never treated as an empty catalog.
    case snapshotMissing(ContentDigest)
    /// The bytes of the snapshot do not match its name.
    case snapshotDamaged(ContentDigest)
    /// A malformed row, counted from 1 including the header.
    case malformedRow(Int, RowProblem)
    /// Columns written by a newer version; continuing would lose them.
    case unknownColumns([String])
    /// A column is missing or occurs twice.
    case missingColumn(String)
    /// More bytes or rows than the limits for reading.
    case tooLarge
    /// The catalog would exceed the limits for writing.
    case full
    /// Other writers moved the pointer in each attempt.
    case contended
    /// A purge is under way or took place since the operation began, or the catalog was repaired: contents that the
    /// operation found stored may be gone. Restart the operation; if it is refused immediately, wait some minutes.
    case purging
    /// What undoing a change needs could not be recorded on this device, nor could an older record be removed. Nothing
    /// was changed.
    case notRecorded
    /// A document beside the catalog cannot be used.
    case document(LibraryDocumentName, DocumentProblem)
    /// There is no album with this id; it may have been deleted.
    case unknownAlbum
    /// Another album has the name.
    case albumNameTaken

    package enum DocumentProblem: Sendable, Equatable {
        case damaged
        /// It was written by a newer version.
        case newerVersion
        /// It would exceed its limits.
        case full
    }

    package enum RowProblem: Sendable, Equatable {
        /// A quote in the wrong place, or a missing closing quote.
        case quoting
        /// More or fewer fields than the header.
        case fieldCount
        case fieldTooLong
        /// Not UTF-8, or not a valid value for its column.
        case value(column: String)
        /// The same path and content as an earlier row.
        case repeatedPath
    }
}

extension CatalogError {
    /// Whether the stored bytes are damaged, so that an older snapshot may be readable. Files of a newer version are
    /// not damaged.
    package var isDamage: Bool {
        switch self {
        case .malformedPointer, .snapshotMissing, .snapshotDamaged, .malformedRow, .missingColumn: true
        case .store, .unknownColumns, .tooLarge, .full, .contended, .purging, .notRecorded: false
        // Repair reads the catalog only.
        case .document, .unknownAlbum, .albumNameTaken: false
        }
    }
}
