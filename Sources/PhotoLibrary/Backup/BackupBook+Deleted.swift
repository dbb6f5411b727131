extension BackupBook {
    /// Whether a file's content was deleted from the trash for good, so that it need not be stored: no backup brings it
    /// back. Where the catalog is not at hand that is known from when it was.
    func isDeleted(_ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        guard hasDeleted || !purged.isEmpty else { return false }
        guard let catalog else { return journal.isDeleted(path, md5) }
        let isPurged = purged.contains(md5)
        if let placing { return isPurged && placing.isDeleted(path, md5, in: catalog) }
        let isDeleted = isPurged && catalog.isDeleted(path, md5)
        journal.markDeleted(path, isDeleted)
        return isDeleted
    }

    /// Whether a content is in the catalog at a path, as far as this device knows, so that nothing is to be said of it.
    func isCommitted(_ path: LibraryPath, _ md5: ContentDigest) -> Bool { journal.committed(path) == md5 }
}
