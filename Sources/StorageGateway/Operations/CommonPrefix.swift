/// The common prefixes into which a listing with a delimiter groups keys.
enum CommonPrefix {
    /// Returns the key up to and including the first delimiter after the listing's prefix; `nil` if there is none.
    static func of(_ key: String, prefix: String, delimiter: String?) -> String? {
        guard let delimiter, !delimiter.isEmpty else { return nil }
        let remainder = Array(key.utf8.dropFirst(prefix.utf8.count))
        let delimiterBytes = Array(delimiter.utf8)
        guard remainder.count >= delimiterBytes.count else { return nil }
        for start in 0...(remainder.count - delimiterBytes.count)
        where remainder[start..<start + delimiterBytes.count].elementsEqual(delimiterBytes) {
            return prefix + String(decoding: remainder[..<(start + delimiterBytes.count)], as: UTF8.self)
        }
        return nil
    }
}
