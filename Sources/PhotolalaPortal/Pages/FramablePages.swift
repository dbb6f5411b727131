/// The pages that a library page may show in a frame while it uploads photos: those of the library, and those to which
/// they redirect. Only pages of our own origin may frame them.
enum FramablePages {
    private static let others: Set<Substring> = ["/sign-in", "/account/confirm"]

    /// Returns whether a page may be framed, by its address.
    static func contains(_ address: String) -> Bool {
        let path = address.prefix { $0 != "?" }
        return path == Section.photos.path || path.hasPrefix("\(Section.photos.path)/") || others.contains(path)
    }
}
