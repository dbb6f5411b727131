import Accounts
import ObjectStorage
import PhotolalaAPI

/// Adds imported photos to their owners' catalogs.
extension ImportPass {
    func addPhotosToCatalogs() async throws(AccountError) {
        var folders = AccountFolders(store)
        while let folder = try await folders.next() {
            guard try await records.hasRecords(of: folder.user) else { continue }
            let outcome: LegacyCatalogOutcome
            do {
                outcome = try await catalogs.addPhotos(of: folder.user) {
                    try await legacyPhotos(of: folder.user)
                } willWrite: { key in
                    try await prepareWrite(key, of: folder.user)
                }
            } catch let error as AccountError {
                throw error
            } catch {
                throw .store(error as? ObjectStoreError ?? .unavailable("\(error)"))
            }
            let pointer = StorageLayout.catalogPointer(folder.user)
            switch outcome {
            case .listed(let added, let isRebuilt):
                tally.count { $0.photosListed += added }
                if isRebuilt { tally.record(.catalogUnreadable, folder.user, pointer, isSettled: true) }
            case .refused: tally.record(.catalogRefused, folder.user, pointer)
            }
        }
    }

    /// Returns the legacy paths of a user's photos, by MD5.
    private func legacyPhotos(of user: UserID) async throws(AccountError) -> [String: LegacyPhoto] {
        var photos: [String: LegacyPhoto] = [:]
        try await records.forEach(below: StorageLayout.legacyMoves(user)) { (_, record) throws(AccountError) in
            guard let source = record.source, let md5 = source.md5,
                record.destination == StorageLayout.photo(user, md5: md5)
            else { return }
            let segments = source.key.split(separator: "/")
            let isBelowUser = StorageLayout.legacyFolders[0].hasPrefix(segments[0])
            let path = segments.dropFirst(isBelowUser ? 3 : 2).joined(separator: "/")
            photos[md5] = LegacyPhoto(path: path, writtenAt: Int64(source.writtenAt.timeIntervalSince1970))
        }
        return photos
    }
}
