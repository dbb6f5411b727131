import NIOCore
import PhotoCatalog
import PhotolalaAPI

/// A cached file that is not removed to make room as long as this object exists, in any process.
package final class CachedFile: Sendable {
    package let path: String
    private let file: OpenFile

    fileprivate init(path: String, file: OpenFile) { (self.path, self.file) = (path, file) }

    /// Reads a range of the file. Blocks.
    fileprivate func read(_ range: Range<Int64>) throws(FileError) -> ByteBuffer {
        try file.read(from: range.lowerBound, count: range.count)
    }
}

/// Originals are stored as they are, so that other programs can open them. The first use in each process compares the
/// bytes with the MD5 in the catalog, and so does a use after the file's status changed.
extension DiskCache {
    /// Returns an original and records its use; `nil` if it is not cached.
    /// - Parameter isKnownGood: Whether the caller has just checked the bytes.
    package func original(of photo: CatalogEntry, _ user: UserID, isKnownGood: Bool = false) async -> CachedFile? {
        let path = originalPath(of: photo, user)
        return try? await FileWork.run { [self] () throws(FileError) -> CachedFile? in
            guard let file = try openInUse(path) else { return nil }
            let found = try file.fingerprint()
            var isGood = isKnownGood || isVerified(path, found)
            touch(file)
            let fingerprint = try file.fingerprint()
            if !isGood, fingerprint.size == photo.size {
                let digest = try file.digest()
                // If a program writes during the hashing, the digest is not that of the file.
                let hashed = try file.fingerprint()
                isGood = digest == photo.md5 && hashed == fingerprint
            }
            guard isGood else {
                discard(path, file)
                return nil
            }
            recordVerified(path, fingerprint)
            return CachedFile(path: path, file: file)
        }
    }

    /// Returns a range of a cached original, if this process has checked the original; reads nothing else.
    package func data(of photo: CatalogEntry, _ range: Range<Int64>, _ user: UserID) async -> ByteBuffer? {
        let path = originalPath(of: photo, user)
        return try? await FileWork.run { [self] () throws(FileError) -> ByteBuffer? in
            guard let file = try openInUse(path) else { return nil }
            guard isVerified(path, try file.fingerprint()) else { return nil }
            let bytes = try CachedFile(path: path, file: file).read(range)
            return bytes.readableBytes == range.count ? bytes : nil
        }
    }

    /// Removes an original.
    package func removeOriginal(of photo: CatalogEntry, _ user: UserID) async {
        let path = originalPath(of: photo, user)
        try? await FileWork.runUncancelled { [self] () throws(FileError) in
            discard(path, try OpenFile(path))
        }
    }

    /// Downloads an original into the cache, unless it is there.
    /// - Returns: `nil` if there is no room, because the file is larger than the cache or too many files are in use.
    package func download(_ photo: CatalogEntry, with reader: PhotoReader) async throws(RestoreFailure) -> CachedFile? {
        if let cached = await original(of: photo, reader.user) { return cached }
        let folder = folder(of: reader.user)
        // The recorded date is that of the last use.
        let entry = CatalogEntry(
            path: LibraryPath(known: Self.originalName(photo)), md5: photo.md5, size: photo.size, modified: moment,
            type: photo.type, media: MediaFacts())
        let part = "\(folder)/\(RestoreTarget.partialName(for: entry))"
        let path = originalPath(of: photo, reader.user)
        guard let space = try await reserved(photo.size, for: part, in: reader.user) else { return nil }
        do throws(RestoreFailure) {
            try await reader.download(entry, into: folder)
        } catch {
            await finished(space, as: path)
            throw error
        }
        await finished(space, as: path)
        guard let cached = await original(of: photo, reader.user, isKnownGood: true) else { throw .file(.missing) }
        return cached
    }

    private func reserved(
        _ bytes: Int64, for path: String, in user: UserID
    ) async throws(RestoreFailure) -> Reservation? {
        do {
            return try await FileWork.run { [self] () throws(FileError) in
                try makeFolder(of: user)
                return try reserve(bytes, for: path)
            }
        } catch { throw .file(error) }
    }

    private func finished(_ reservation: Reservation, as path: String) async {
        // A download that was cancelled gives its space back, too.
        try? await FileWork.runUncancelled { [self] () throws(FileError) in finish(reservation, as: path) }
    }

    /// Opens a file and locks it against removal; `nil` if it is being removed.
    private func openInUse(_ path: String) throws(FileError) -> OpenFile? {
        let file = try OpenFile(path)
        return try file.lockAgainstRemoval() ? file : nil
    }

    /// Returns the path at which an original is cached.
    package func originalPath(of photo: CatalogEntry, _ user: UserID) -> String {
        "\(folder(of: user))/\(Self.originalName(photo))"
    }

    /// Returns the file's name: the digest, with the photo's own extension for programs that need it.
    private static func originalName(_ photo: CatalogEntry) -> String {
        let name = photo.path.name
        let ending = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[$0...].dropFirst() } ?? ""
        let isPlain = (1...10).contains(ending.utf8.count) && ending.utf8.allSatisfy { isLetterOrDigit($0) }
        return isPlain ? "\(photo.md5).\(ending.lowercased())" : "\(photo.md5)"
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
