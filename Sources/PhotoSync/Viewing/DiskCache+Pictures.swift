import Crypto
import NIOCore
import PhotoCatalog
import PhotolalaAPI
import Secrets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Thumbnails and previews are stored behind the SHA-256 of account, photo and bytes, because the catalog has no digest of them. A
/// damaged file, or one that was moved to another name or account, is removed instead of returned.
extension DiskCache {
    private static let digestLength = SHA256.byteCount

    /// Returns a thumbnail or preview and records its use; `nil` if it is not cached.
    package func picture(_ kind: PictureKind, of photo: ContentDigest, _ user: UserID) async -> ByteBuffer? {
        let path = path(of: photo, user, kind)
        return try? await FileWork.run { [self] () throws(FileError) -> ByteBuffer? in
            let file = try OpenFile(path)
            let size = try file.fingerprint().size
            guard size <= Int64(Self.digestLength + kind.sizeLimit) else {
                discard(path, file)
                return nil
            }
            var bytes = try file.read(from: 0, count: Int(size))
            guard let digest = bytes.readBytes(length: Self.digestLength),
                digest.elementsEqual(Self.digest(bytes, kind, photo, user))
            else {
                discard(path, file)
                return nil
            }
            touch(file)
            return bytes
        }
    }

    /// Stores a thumbnail or preview. One that cannot be stored is not an error.
    package func store(_ picture: ByteBuffer, as kind: PictureKind, of photo: ContentDigest, _ user: UserID) async {
        let path = path(of: photo, user, kind)
        try? await FileWork.run { [self] () throws(FileError) in
            var content = ByteBuffer(bytes: Self.digest(picture, kind, photo, user))
            content.writeImmutableBuffer(picture)
            let part = "\(folder(of: user))/.\(Hex.encode(randomness.bytes(8))).part"
            try makeFolder(of: user)
            guard let space = try reserve(Int64(content.readableBytes), for: part) else { return }
            defer { finish(space, as: path) }
            try write(content, to: path, via: part)
        }
    }

    private func write(_ content: ByteBuffer, to path: String, via part: String) throws(FileError) {
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        let file = try OpenFile(owning: descriptor)
        do throws(FileError) {
            try writeAll(content, to: file.descriptor)
            touch(file)
            // Not flushed: a file that a power failure leaves incomplete does not match its digest.
            guard rename(part, path) == 0 else { throw FileError.last }
        } catch {
            unlink(part)
            throw error
        }
    }

    private func path(of photo: ContentDigest, _ user: UserID, _ kind: PictureKind) -> String {
        "\(folder(of: user))/\(photo).\(kind)"
    }

    private static func digest(
        _ picture: ByteBuffer, _ kind: PictureKind, _ photo: ContentDigest, _ user: UserID
    ) -> SHA256.Digest {
        var hasher = SHA256()
        (kind == .thumbnail ? "\(user)/\(photo)" : "\(user)/\(photo)/\(kind)").utf8.withContiguousStorageIfAvailable {
            hasher.update(bufferPointer: .init($0))
        }
        picture.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
        return hasher.finalize()
    }
}
