import PhotoLibrary
import PhotolalaAPI
import Sessions

extension Services {
    /// Puts photos into the trash, wherever they stand in the library, with what belongs to them. Those that are there
    /// already stay.
    /// - Throws: `storageReadOnly` while the account is being deleted.
    package func putIntoTrash(
        _ photos: Set<ContentDigest>, caller: Caller
    ) async throws(FlowError) -> TrashSummary {
        let trash = try await trash(for: photos, of: caller)
        return try await step { try await trash.put(.contents(photos)).summary }
    }

    /// Takes photos out of the trash, with what belongs to them.
    /// - Throws: `storageReadOnly` while the account is being deleted.
    package func takeOutOfTrash(
        _ photos: Set<ContentDigest>, caller: Caller
    ) async throws(FlowError) -> TrashSummary {
        let trash = try await trash(for: photos, of: caller)
        return try await step { try await trash.takeOut(.contents(photos)) }
    }

    private func trash(
        for photos: Set<ContentDigest>, of caller: Caller
    ) async throws(FlowError) -> PhotoTrash {
        // A selection without contents would mean everything.
        guard !photos.isEmpty else { throw .invalidRequest("no photo was chosen") }
        guard try access(of: caller) != .read else { throw .storageReadOnly }
        return PhotoTrash(try catalogs(of: caller), known: try await library(caller).version)
    }
}

extension PhotoSelection {
    fileprivate static func contents(_ contents: Set<ContentDigest>) -> PhotoSelection {
        var selection = PhotoSelection()
        selection.contents = contents
        return selection
    }
}
