/// The common prefixes into which a listing with a delimiter groups keys.
enum CommonPrefix {
    /// Returns the key up to and including the first delimiter after the listing's prefix; `nil` if there is none.
    static func of(_ key: String, prefix: String, delimiter: String?) -> String? {
        guard let delimiter, !delimiter.isEmpty else { return nil }
        let rest = Array(key.utf8.dropFirst(prefix.utf8.count))
        let mark = Array(delimiter.utf8)
        guard rest.count >= mark.count else { return nil }
        for start in 0...(rest.count - mark.count) where rest[start..<start + mark.count].elementsEqual(mark) {
            return prefix + String(decoding: rest[..<(start + mark.count)], as: UTF8.self)
        }
        return nil
    }
}
