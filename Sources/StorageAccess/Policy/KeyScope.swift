/// A set of keys that a policy can express: all keys with a prefix, or one key.
struct KeyScope: Hashable, Sendable {
    /// The common prefix, or the key.
    let text: String
    let isOneKey: Bool

    /// Creates the scope of all keys with a prefix. A prefix that ends in `/` is not itself in the scope.
    static func below(_ prefix: String) -> KeyScope { KeyScope(text: prefix, isOneKey: false) }

    static func key(_ key: String) -> KeyScope { KeyScope(text: key, isOneKey: true) }

    /// Returns whether a key is in the scope. Compares bytes: Swift strings compare by canonical equivalence.
    func contains(_ key: String) -> Bool {
        if isOneKey { return key.utf8.elementsEqual(text.utf8) }
        // A folder's name is not a key, but a prefix of a file's name can be one.
        return key.utf8.starts(with: text.utf8) && (key.utf8.count > text.utf8.count || !text.hasSuffix("/"))
    }

    /// The resource pattern for policies, relative to the bucket.
    var pattern: String { isOneKey ? text : "\(text)*" }
}
