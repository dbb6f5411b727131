import PhotolalaAPI

/// What one user's credentials may touch, as data. The S3 endpoint of one machine asks it for every request; for a
/// token service it is spelled as a `SessionPolicy`.
package struct UserStoragePolicy: Sendable {
    /// What may be done to which keys.
    let rules: [(action: StorageAction, scopes: [KeyScope])]
    /// Below which prefixes keys may be listed.
    let listed: [String]

    /// - Parameter mayRecord: whether `readDelete` writes the catalog and the profile. Without it nothing is written.
    package init(user: UserID, access: StorageAccessLevel, mayRecord: Bool = true) {
        let all = StorageLayout.userPrefixes(user).map(KeyScope.below)
        let content = [StorageLayout.photos(user), StorageLayout.thumbnails(user)].map(KeyScope.below)
        // Deleting stays consistent only if the catalog and the profile can follow it. Other keys are not needed for that.
        let records = [KeyScope.below(StorageLayout.catalogFiles(user)), .key(StorageLayout.profile(user))]
        let (readable, writable, deletable): ([KeyScope], [KeyScope], [KeyScope]) =
            switch access {
            case .readWrite: (all, all, all)
            case .readDelete: (all, mayRecord ? records : [], all)
            case .read: (all, [], [])
            // Who may read nothing has nothing to copy from: a signed upload brings its own bytes or none.
            case .upload: ([], content, [])
            }
        listed = readable.map(\.text)
        rules = [
            (.getObject, readable), (.putObject, writable), (.deleteObject, deletable),
            (.abortMultipartUpload, deletable), (.listMultipartUploadParts, deletable),
            // Nothing else is ever archived, and whatever may be read may be restored from an archive.
            (.restoreObject, readable.isEmpty ? [] : [.below(StorageLayout.photos(user))]),
        ].filter { !$0.scopes.isEmpty }
    }

    /// All scopes in which anything may be done.
    var scopes: [KeyScope] {
        rules.flatMap(\.scopes).reduce(into: []) { all, scope in if !all.contains(scope) { all.append(scope) } }
    }

    /// Whether the action is allowed on the key. A prefix itself is not an object of the user's.
    package func allows(_ action: StorageAction, key: String) -> Bool {
        rules.contains { rule in rule.action == action && rule.scopes.contains { $0.contains(key) } }
    }

    /// What may be done to every object of one of the scopes, as policies spell it.
    func actions(in scope: KeyScope) -> [String] {
        rules.filter { $0.scopes.contains(scope) }.map { "s3:\($0.action.rawValue)" }
    }

    /// Whether a listing of keys that begin with `prefix` is allowed.
    package func allowsListing(prefix: String) -> Bool { listed.contains { begins(prefix, $0) } }

    /// The prefixes of the user's own keys that a listing of `prefix` shows, in the order of their bytes. Above the user's
    /// own prefixes (`photos/`, or the whole bucket) they are those; empty where a listing is refused.
    package func listedPrefixes(below prefix: String) -> [String] {
        listed.compactMap { own in begins(prefix, own) ? prefix : begins(own, prefix) ? own : nil }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Whether a key names a folder that stands without an object: one of the user's prefixes, or what is above it
    /// (`photos/`). The action must be allowed below it.
    package func isStandingFolder(_ key: String, _ action: StorageAction) -> Bool {
        key.utf8.last == UInt8(ascii: "/")
            && rules.contains { $0.action == action && $0.scopes.contains { begins($0.text, key) } }
    }

    /// Bytes, not characters: Swift would take two spellings of one letter for equal.
    private func begins(_ text: String, _ prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }
}
