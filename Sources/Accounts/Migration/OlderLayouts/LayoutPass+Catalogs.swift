import ObjectStorage
import PhotolalaAPI

/// Adds imported photos to their owners' catalogs.
extension LayoutPass {
    func listPhotos() async throws(AccountError) {
        var folders = AccountFolders(store)
        while let folder = try await folders.next() {
            guard try await records.any(of: folder.user) else { continue }
            let outcome: OlderCatalogOutcome
            do {
                outcome = try await catalogs.addPhotos(of: folder.user) {
                    try await known(of: folder.user)
                } willWrite: { key in
                    try await willWrite(key, of: folder.user)
                }
            } catch let error as AccountError {
                throw error
            } catch {
                throw .store(error as? ObjectStoreError ?? .unavailable("\(error)"))
            }
            let pointer = StorageLayout.catalogPointer(folder.user)
            switch outcome {
            case .listed(let added, let isBegunAnew):
                tally.count { $0.photosListed += added }
                if isBegunAnew { tally.tell(.catalogUnreadable, folder.user, pointer, isSettled: true) }
            case .refused: tally.tell(.catalogRefused, folder.user, pointer)
            }
        }
    }

    /// Returns the legacy paths of a user's photos, by MD5.
    private func known(of user: UserID) async throws(AccountError) -> [String: OlderPhoto] {
        var photos: [String: OlderPhoto] = [:]
        try await records.forEach(below: StorageLayout.moves(user)) { (_, record) throws(AccountError) in
            guard let source = record.source, let md5 = source.md5,
                record.destination == StorageLayout.photo(user, md5: md5)
            else { return }
            let segments = source.key.split(separator: "/")
            let isBelowUser = StorageLayout.olderFolders[0].hasPrefix(segments[0])
            let path = segments.dropFirst(isBelowUser ? 3 : 2).joined(separator: "/")
            photos[md5] = OlderPhoto(path: path, writtenAt: Int64(source.writtenAt.timeIntervalSince1970))
        }
        return photos
    }
}
