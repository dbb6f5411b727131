/// The identity of a catalog entry: a content at a path.
struct LibraryEntryName: Hashable, Sendable {
    let path: LibraryPath
    let md5: ContentDigest

    init(path: LibraryPath, md5: ContentDigest) {
        self.path = path
        self.md5 = md5
    }
}
