import PhotoLibrary
import PhotolalaAPI

extension Services {
    /// Puts photos into the trash, wherever they stand in the library by themselves, with what belongs to them. Those that are
    /// there already stay.
    /// - Throws: `storageReadOnly` while the account is being deleted.
    package func putIntoTrash(
        _ photos: Set<ContentDigest>, caller: Caller
    ) async throws(FlowError) -> TrashSummary {
        try await changeTrash(photos, caller) { try await $0.put($1).summary }
    }

    /// Takes photos out of the trash, with what belongs to them.
    /// - Throws: `storageReadOnly` while the account is being deleted.
    package func takeOutOfTrash(
        _ photos: Set<ContentDigest>, caller: Caller
    ) async throws(FlowError) -> TrashSummary {
        try await changeTrash(photos, caller) { try await $0.takeOut($1) }
    }

    private func changeTrash(
        _ photos: Set<ContentDigest>, _ caller: Caller,
        _ change: (PhotoTrash, PhotoSelection) async throws -> TrashSummary
    ) async throws(FlowError) -> TrashSummary {
        // A selection without contents would mean everything.
        guard !photos.isEmpty else { throw .invalidRequest("no photo was chosen") }
        guard try access(of: caller) != .read else { throw .storageReadOnly }
        var selection = PhotoSelection()
        selection.contents = photos
        return try await readLibrary(caller) { catalogs in
            let known = try await newest(of: caller, catalogs)
            return try await change(PhotoTrash(catalogs, known: known), selection)
        }
    }
}
