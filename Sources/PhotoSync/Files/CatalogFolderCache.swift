import NIOCore
import PhotoCatalog
import PhotolalaAPI

/// A catalog cache in a folder of this device. Each file is verified against the digest in its name when it is read.
package struct CatalogFolderCache: CatalogCache {
    private let folder: String
    private let limit: Int

    /// - Parameters:
    ///   - folder: A folder used only by this cache; created if it does not exist.
    ///   - limit: The largest file that is cached, in bytes. The number of files is not limited: a catalog has as many
    ///     as its entries need.
    package init(folder: String, limit: Int = 512 << 20) {
        self.folder = folder
        self.limit = limit
    }

    /// Returns the cache folder for one user's catalog.
    package static func folder(in stateFolder: String, user: UserID) -> String { "\(stateFolder)/catalog-\(user)" }

    /// Returns a file's bytes if they have the given MD5.
    package func read(_ digest: ContentDigest) async -> ByteBuffer? {
        let place = place(digest)
        return try? await FileWork.run { () throws(FileError) in
            let bytes = try StateFile.read(place)
            return ContentDigest(of: bytes) == digest ? bytes : nil
        }
    }

    /// Returns whether a file with this name is cached, without verifying its bytes.
    package func has(_ digest: ContentDigest) async -> Bool {
        let place = place(digest)
        return (try? await FileWork.run { () throws(FileError) in try OpenFile(place).fingerprint() }) != nil
    }

    package func write(_ digest: ContentDigest, _ bytes: ByteBuffer) async {
        guard bytes.readableBytes <= limit else { return }
        let (folder, place) = (folder, place(digest))
        try? await FileWork.run { () throws(FileError) in
            try LocalFolder.create(folder)
            try StateFile.replace(place, with: bytes)
        }
    }

    package func remove(_ digests: [ContentDigest]) async {
        let places = digests.map(place)
        guard !places.isEmpty else { return }
        try? await FileWork.run { () throws(FileError) in
            for place in places { StateFile.remove(place) }
        }
    }

    /// Removes all other files.
    package func keepOnly(_ digests: Set<ContentDigest>) async {
        let (folder, kept) = (folder, Set(digests.map { Array(name($0).utf8) }))
        try? await FileWork.run { () throws(FileError) in
            for name in try FolderListing.names(of: folder) where !kept.contains(name) {
                StateFile.remove("\(folder)/\(String(decoding: name, as: UTF8.self))")
            }
        }
    }

    private func name(_ digest: ContentDigest) -> String { "\(digest).csv" }
    private func place(_ digest: ContentDigest) -> String { "\(folder)/\(name(digest))" }
}
