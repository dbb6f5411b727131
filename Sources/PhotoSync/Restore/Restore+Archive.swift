import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

extension Restore {
    /// Requests an archived photo, if the settings say so.
    func requestRetrieval(
        of entry: CatalogEntry, after failure: RestoreFailure, _ refusal: ArchiveRefusal
    ) async -> RestoreFailure {
        guard failure == .archived(.notRequested), let order = settings.retrievalOrder, !Task.isCancelled else {
            return failure
        }
        if let refused = refusal.error { return .archived(.refused(refused)) }
        guard let archive = store as? any ArchiveRetrieval else { return .archived(.notRetrievable) }
        let key = ObjectKey(known: StorageLayout.photo(user, md5: entry.md5.description))
        do {
            return switch try await archive.restoreFromArchive(key, order) {
            case .started(let time): .archived(.requested(within: time))
            case .inProgress: .archived(.inProgress)
            case .available: .archived(.available)
            case .tierUnavailable: .archived(.tierUnavailable)
            case nil: .notStored
            }
        } catch {
            refusal.record(error)
            return .archived(.refused(error))
        }
    }
}
