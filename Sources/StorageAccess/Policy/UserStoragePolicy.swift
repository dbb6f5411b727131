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
        let content = [StorageLayout.photos(user), StorageLayout.thumbnails(user)]
        let bookkeeping = [StorageLayout.catalogs(user), StorageLayout.userData(user)]
        let (readable, writable, deletable): ([String], [String], [String]) =
            switch access {
            case .readWrite: (all, all, all)
            // Deleting stays consistent only if the catalog and the profile can follow it.
            case .readDelete: (all, bookkeeping, all)
            case .read: (all, [], [])
            // Who may read nothing has nothing to copy from: a signed upload brings its own bytes or none.
            case .upload: ([], content, [])
            }
        listed = readable
        rules = [
            (.getObject, readable), (.putObject, writable), (.deleteObject, deletable),
            (.abortMultipartUpload, deletable), (.listMultipartUploadParts, deletable),
            // Nothing else is ever archived, and whoever may read a photo may have it back.
            (.restoreObject, readable.isEmpty ? [] : [StorageLayout.photos(user)]),
        ].filter { !$0.prefixes.isEmpty }
    }

    /// All prefixes below which anything may be done.
    var prefixes: [String] {
        rules.flatMap(\.prefixes).reduce(into: []) { all, prefix in if !all.contains(prefix) { all.append(prefix) } }
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
