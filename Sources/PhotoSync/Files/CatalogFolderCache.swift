import NIOCore
import PhotoCatalog
import PhotolalaAPI

/// A catalog cache in a folder of this device. Each file is verified against the digest in its name when it is read.
package struct CatalogFolderCache: CatalogCache {
    private let folder: String
    private let limit: Int
    private let isReadOnly: Bool

    /// - Parameters:
    ///   - folder: A folder used only by this cache; created if it does not exist.
    ///   - limit: The largest file that is cached, in bytes. The number of files is not limited: a catalog has as many
    ///     as its entries need.
    ///   - isReadOnly: Whether nothing is written or removed.
    package init(folder: String, limit: Int = 512 << 20, isReadOnly: Bool = false) {
        self.folder = folder
        self.limit = limit
        self.isReadOnly = isReadOnly
    }

    /// Returns the cache folder for one user's catalog.
    package static func folder(in stateFolder: String, user: UserID) -> String { "\(stateFolder)/catalog-\(user)" }

    /// Returns a file's bytes if they have the given MD5.
    package func read(_ digest: ContentDigest) async -> ByteBuffer? {
        let path = path(digest)
        return try? await FileWork.run { () throws(FileError) in
            let bytes = try StateFile.read(path)
            return ContentDigest(of: bytes) == digest ? bytes : nil
        }
    }

    /// Returns whether a file with this name is cached, without verifying its bytes.
    package func has(_ digest: ContentDigest) async -> Bool {
        let path = path(digest)
        return (try? await FileWork.run { () throws(FileError) in try OpenFile(path).fingerprint() }) != nil
    }

    package func write(_ digest: ContentDigest, _ bytes: ByteBuffer) async {
        guard !isReadOnly, bytes.readableBytes <= limit else { return }
        let (folder, path) = (folder, path(digest))
        try? await FileWork.run { () throws(FileError) in
            try LocalFolder.create(folder)
            try StateFile.replace(path, with: bytes)
        }
    }

    package func read(_ document: CachedDocument) async -> ByteBuffer? {
        let path = path(document)
        return try? await FileWork.run { () throws(FileError) in try StateFile.read(path) }
    }

    package func write(_ document: CachedDocument, _ bytes: ByteBuffer?) async {
        guard !isReadOnly else { return }
        let (folder, path) = (folder, path(document))
        try? await FileWork.run { () throws(FileError) in
            guard let bytes else { return StateFile.remove(path) }
            try LocalFolder.create(folder)
            try StateFile.replace(path, with: bytes)
        }
    }

    /// Returns when all files of a snapshot were last read; `nil` if the cache has none.
    package func lastRead() async -> Timestamp? {
        let path = path(.pointer)
        return try? await FileWork.run { () throws(FileError) in try OpenFile(path).fingerprint().modified }
    }

    package func remove(_ digests: [ContentDigest]) async {
        let paths = digests.map(path)
        guard !isReadOnly, !paths.isEmpty else { return }
        try? await FileWork.run { () throws(FileError) in
            for path in paths { StateFile.remove(path) }
        }
    }

    /// Removes all other files.
    package func keepOnly(_ digests: Set<ContentDigest>) async {
        guard !isReadOnly else { return }
        let names = digests.map(name) + CachedDocument.allCases.map(\.rawValue)
        let (folder, retained) = (folder, Set(names.map { Array($0.utf8) }))
        try? await FileWork.run { () throws(FileError) in
            for name in try FolderListing.names(of: folder) where !retained.contains(name) {
                StateFile.remove("\(folder)/\(String(decoding: name, as: UTF8.self))")
            }
        }
    }

    private func name(_ digest: ContentDigest) -> String { "\(digest).csv" }
    private func path(_ digest: ContentDigest) -> String { "\(folder)/\(name(digest))" }
    private func path(_ document: CachedDocument) -> String { "\(folder)/\(document.rawValue)" }
}
