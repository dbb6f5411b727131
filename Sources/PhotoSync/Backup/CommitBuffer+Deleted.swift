import PhotoCatalog

extension CommitBuffer {
    /// Returns whether a file's content was permanently deleted from the trash. Such content is not uploaded: a backup
    /// never restores it. While the catalog is not loaded, the answer comes from the journal.
    func isDeleted(_ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        guard hasDeletedContents || !purgedContents.isEmpty else { return false }
        guard let catalog else { return journal.isDeleted(path, md5) }
        let isPurged = purgedContents.contains(md5)
        if let placing { return isPurged && placing.isDeleted(path, md5, in: catalog) }
        let isDeleted = isPurged && catalog.isDeleted(path, md5)
        journal.markDeleted(path, isDeleted)
        return isDeleted
    }

    /// Returns whether the journal records a content as committed at a path, so that no change is needed for it.
    func isCommitted(_ path: LibraryPath, _ md5: ContentDigest) -> Bool { journal.committed(path) == md5 }
}
