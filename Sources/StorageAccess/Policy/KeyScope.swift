/// A set of keys as a policy can name it: all that begin alike, or one key.
struct KeyScope: Hashable, Sendable {
    /// What all of them begin with, or the one key.
    let text: String
    let isOneKey: Bool

    /// All keys that begin with a prefix; one that ends in `/` is none of them itself.
    static func below(_ prefix: String) -> KeyScope { KeyScope(text: prefix, isOneKey: false) }

    static func key(_ key: String) -> KeyScope { KeyScope(text: key, isOneKey: true) }

    /// Compares bytes, not characters: Swift takes two spellings of one letter for equal.
    func contains(_ key: String) -> Bool {
        if isOneKey { return key.utf8.elementsEqual(text.utf8) }
        // A folder's name is no key, the beginning of a file's name can be one.
        return key.utf8.starts(with: text.utf8) && (key.utf8.count > text.utf8.count || !text.hasSuffix("/"))
    }

    /// As policies spell it below a bucket.
    var pattern: String { isOneKey ? text : "\(text)*" }
}
