import ObjectStorage

/// Why a catalog cannot be read or moved on.
package enum CatalogError: Error, Equatable, Sendable {
    case store(ObjectStoreError)
    /// The pointer is not the MD5 of a snapshot.
    case malformedPointer
    /// The pointer names a snapshot that is not there: never taken for an empty catalog.
    case snapshotMissing(ContentDigest)
    /// The snapshot's bytes are not what its name says.
    case snapshotDamaged(ContentDigest)
    /// A row that breaks the form, counted from 1 with the header.
    case malformedRow(Int, RowProblem)
    /// Columns that a newer version has written; reading on would lose them.
    case unknownColumns([String])
    /// A column is not there or stands twice.
    case missingColumn(String)
    /// More bytes or rows than are read.
    case tooLarge
    /// It would become larger than is written.
    case full
    /// Others moved the pointer each time that it was tried.
    case contended
    /// Photos are being deleted from the trash for good, or were since this act began, or the catalog was repaired: what it
    /// had found stored may be gone. It is to be begun again; while it is refused at once, some minutes later.
    case purging

    package enum RowProblem: Sendable, Equatable {
        /// A quote in the wrong place or none at the end.
        case quoting
        /// More or fewer fields than the header.
        case fieldCount
        case fieldTooLong
        /// Not UTF-8, or a value that its column does not take.
        case value(column: String)
        /// A content and path that an earlier row has.
        case repeatedPath
    }
}

extension CatalogError {
    /// Whether the stored bytes are at fault, so that an older snapshot may help. What a newer version wrote is whole.
    package var isDamage: Bool {
        switch self {
        case .malformedPointer, .snapshotMissing, .snapshotDamaged, .malformedRow, .missingColumn: true
        case .store, .unknownColumns, .tooLarge, .full, .contended, .purging: false
        }
    }
}
