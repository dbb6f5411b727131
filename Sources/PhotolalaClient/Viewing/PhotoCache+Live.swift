import Foundation

extension PhotoCache {
    /// Opens a cache, or creates it.
    /// - Parameters:
    ///   - folder: A folder that is used only for this cache, for example in the app's caches folder.
    ///   - maximumBytes: The maximum total size. A larger original is not cached.
    ///   - maximumFiles: The maximum number of files.
    /// - Throws: `localStorageFailed` if the folder cannot be created, `invalidRequest` for a limit below 1.
    public init(
        folder: URL, maximumBytes: Int64 = defaultMaximumBytes, maximumFiles: Int = defaultMaximumFiles
    ) throws(PhotolalaError) {
        try self.init(folder: folder, maximumBytes: maximumBytes, maximumFiles: maximumFiles, now: { Date() })
    }
}
