/// The identity of a catalog entry: a content at a path.
package struct EntryIdentity: Hashable, Sendable {
    package let path: LibraryPath
    package let md5: ContentDigest

    package init(path: LibraryPath, md5: ContentDigest) {
        self.path = path
        self.md5 = md5
    }
}
