import PhotolalaAPI

/// What one user's credentials may touch, as data. The S3 endpoint of one machine asks it for every request; for a
/// token service it is spelled as a `SessionPolicy`.
package struct UserStoragePolicy: Sendable {
    /// What may be done below which prefixes.
    let rules: [(action: StorageAction, prefixes: [String])]
    /// Below which prefixes keys may be listed.
    let listed: [String]

    package init(user: UserID, access: StorageAccessLevel) {
        let all = StorageLayout.userPrefixes(user)
        let bookkeeping = [StorageLayout.catalogs(user), StorageLayout.userData(user)]
        // Deleting stays consistent only if the catalog and the profile can follow it.
        let writable = access == .readWrite ? all : access == .readDelete ? bookkeeping : []
        let deletable = access == .read ? [] : all
        listed = all
        rules = [
            (.getObject, all), (.putObject, writable), (.deleteObject, deletable),
            (.abortMultipartUpload, deletable), (.listMultipartUploadParts, deletable),
            // Nothing else is ever archived, and whoever may read a photo may have it back.
            (.restoreObject, [StorageLayout.photos(user)]),
        ].filter { !$0.prefixes.isEmpty }
    }

    /// Whether the action is allowed on the key. A prefix itself is not an object of the user's.
    package func allows(_ action: StorageAction, key: String) -> Bool {
        rules.contains { rule in
            rule.action == action && rule.prefixes.contains { key.utf8.count > $0.utf8.count && begins(key, $0) }
        }
    }

    /// What may be done to every object below one of the prefixes, as policies spell it.
    func actions(below prefix: String) -> [String] {
        rules.filter { $0.prefixes.contains(prefix) }.map { "s3:\($0.action.rawValue)" }
    }

    /// Whether a listing of keys that begin with `prefix` is allowed.
    package func allowsListing(prefix: String) -> Bool { listed.contains { begins(prefix, $0) } }

    /// Bytes, not characters: Swift would take two spellings of one letter for equal.
    private func begins(_ text: String, _ prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }
}
