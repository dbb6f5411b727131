import PhotoCatalog

extension LibraryService {
    /// Moves photos to the trash at every path where they are an entry of their own, with their related files. Photos
    /// already in the trash stay there.
    /// - Throws: `storageReadOnly` while the account is being deleted.
    package func moveToTrash(
        _ photos: Set<ContentDigest>, caller: Caller
    ) async throws(ServiceError) -> TrashSummary {
        try await changeTrash(photos, caller) { try await $0.moveToTrash($1).summary }
    }

    /// Restores photos from the trash, with their related files.
    /// - Parameter isUndo: Whether only what the last change moved there is restored, and not copies that another device, or
    ///   an earlier change, had moved there.
    /// - Throws: `storageReadOnly` while the account is being deleted.
    package func restoreFromTrash(
        _ photos: Set<ContentDigest>, isUndo: Bool = false, caller: Caller
    ) async throws(ServiceError) -> TrashSummary {
        try await changeTrash(photos, caller) { try await $0.restore($1, isUndo ? .lastChange : .all) }
    }

    private func changeTrash(
        _ photos: Set<ContentDigest>, _ caller: Caller,
        _ change: (PhotoTrash, PhotoSelection) async throws -> TrashSummary
    ) async throws(ServiceError) -> TrashSummary {
        // A selection without contents would mean all photos.
        guard !photos.isEmpty else { throw .invalidRequest("Select at least one photo.") }
        guard try storageAccess.access(of: caller) != .read else { throw .storageReadOnly }
        var selection = PhotoSelection()
        selection.contents = photos
        return try await readLibrary(caller) { catalogs in
            let known = try await newestVersion(of: caller, catalogs)
            return try await change(PhotoTrash(catalogs, known: known), selection)
        }
    }
}
