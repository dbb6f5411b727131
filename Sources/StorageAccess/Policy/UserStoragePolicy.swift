import PhotolalaAPI

/// The permissions of one user's credentials, as data. The S3 endpoint evaluates it for every request; for a token
/// service it is converted to a `SessionPolicy`.
package struct UserStoragePolicy: Sendable {
    /// The actions allowed on each scope.
    let rules: [(action: StorageAction, scopes: [KeyScope])]
    /// The prefixes below which keys may be listed.
    let listed: [String]

    /// - Parameter mayRecord: Whether `readDelete` may write the catalog and the profile. Without it nothing may be
    ///   written.
    package init(user: UserID, access: StorageAccessLevel, mayRecord: Bool = true) {
        let all = StorageLayout.userPrefixes(user).map(KeyScope.below)
        let content = [StorageLayout.photos(user), StorageLayout.thumbnails(user)].map(KeyScope.below)
        // Deletions stay consistent only if the catalog and the profile can be updated. No other keys are needed for
        // that.
        let records = [KeyScope.below(StorageLayout.catalogFiles(user)), .key(StorageLayout.profile(user))]
        let (readable, writable, deletable): ([KeyScope], [KeyScope], [KeyScope]) =
            switch access {
            case .readWrite: (all, all, all)
            case .readDelete: (all, mayRecord ? records : [], all)
            case .read: (all, [], [])
            // Without read access there is no copy source: a signed upload contains its own bytes or none.
            case .upload: ([], content, [])
            }
        listed = readable.map(\.text)
        rules = [
            (.getObject, readable), (.putObject, writable), (.deleteObject, deletable),
            // Credentials that start uploads in parts also abort them.
            (.abortMultipartUpload, access == .upload ? content : deletable),
            (.listMultipartUploadParts, deletable),
            // Only photos are ever archived, and any readable object may be restored.
            (.restoreObject, readable.isEmpty ? [] : [.below(StorageLayout.photos(user))]),
        ].filter { !$0.scopes.isEmpty }
    }

    /// All scopes with at least one allowed action.
    var scopes: [KeyScope] {
        rules.flatMap(\.scopes).reduce(into: []) { all, scope in if !all.contains(scope) { all.append(scope) } }
    }

    /// Returns whether the action is allowed on the key. A prefix itself is not an object of the user.
    package func allows(_ action: StorageAction, key: String) -> Bool {
        rules.contains { rule in rule.action == action && rule.scopes.contains { $0.contains(key) } }
    }

    /// Returns the actions allowed on every object of a scope, with the names used in policies.
    func actions(in scope: KeyScope) -> [String] {
        rules.filter { $0.scopes.contains(scope) }.map { "s3:\($0.action.rawValue)" }
    }

    /// Returns whether listing keys that begin with `prefix` is allowed.
    package func allowsListing(prefix: String) -> Bool { listed.contains { begins(prefix, $0) } }

    /// Returns the prefixes of the user's own keys that a listing of `prefix` shows, in byte order. For a parent of
    /// the user's prefixes (`photos/`, or the whole bucket) it returns those; for a listing that is not allowed it
    /// returns none.
    package func listedPrefixes(below prefix: String) -> [String] {
        listed.compactMap { own in begins(prefix, own) ? prefix : begins(own, prefix) ? own : nil }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns whether a key names a folder that exists without an object: one of the user's prefixes, or a parent of
    /// it (`photos/`). The action must be allowed below it.
    package func isImplicitFolder(_ key: String, _ action: StorageAction) -> Bool {
        key.utf8.last == UInt8(ascii: "/")
            && rules.contains { $0.action == action && $0.scopes.contains { begins($0.text, key) } }
    }

    /// Compares bytes: Swift strings compare by canonical equivalence.
    private func begins(_ text: String, _ prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }
}
