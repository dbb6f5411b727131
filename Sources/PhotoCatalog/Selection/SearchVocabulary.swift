/// The names that a search understands, in lower case.
package struct SearchVocabulary: Sendable {
    /// The numbers of the months, from 1.
    let months: [String: Int]
    /// Kinds of files. `video`, `raw`, file extensions and media types are known without them.
    let kinds: [String: MediaKind]
    /// Words between the parts of a date, such as `of`.
    let connectives: Set<String>

    package init(months: [String: Int], kinds: [String: MediaKind], connectives: Set<String>) {
        (self.months, self.kinds, self.connectives) = (months, kinds, connectives)
    }
}
