import NIOCore
import ObjectStorage
import PhotoCatalog

/// A temporary file of which pictures are made. It has all of a photo, and of a long video what the first frame needs: the
/// beginning, and the structure that says where frames are. The rest is a hole.
final class PictureFile: Sendable {
    /// The number of bytes at the beginning of a video that are copied.
    static let beginning: Int64 = 8 << 20
    /// The number of bytes at the end of a video that are copied if its structure is not looked up; for two hours it has
    /// about 4 MiB.
    static let end = 4 << 20

    let path: String
    private let file: PartialFile

    /// Returns whether a tool finds the duration of a video in a copy of its beginning and its end. In fragmented MP4, which
    /// states none, it is the sum of all fragments.
    static func hasDuration(_ type: MediaType, size: Int64) -> Bool {
        size <= beginning || !StoredVideo.indexed.contains(type)
    }

    /// Creates the file in a folder, which is created if it does not exist.
    /// - Throws: `exists` while a file of the same content is in use.
    init(of photo: ContentDigest, type: MediaType, in folder: String) async throws(FileError) {
        // Some decoders look at the extension.
        let name = "\(photo).\(type.fileExtension)"
        file = try await FileWork.run { () throws(FileError) in
            try LocalFolder.create(folder)
            let file = try PartialFile(in: FolderHandle(folder), name: name)
            try file.truncate(at: 0)
            return file
        }
        path = "\(folder)/\(name)"
    }

    /// Removes the file. It is also removed when this object is released.
    func remove() async {
        let file = file
        try? await FileWork.runUncancelled { () throws(FileError) in file.remove() }
    }

    func write(_ bytes: ByteBuffer, at offset: Int64) async throws(FileError) {
        let file = file
        try await FileWork.run { () throws(FileError) in try file.write(bytes, at: offset) }
    }

    /// Sets the length of the file.
    func setLength(_ size: Int64) async throws(FileError) {
        let file = file
        try await FileWork.run { () throws(FileError) in try file.truncate(at: size) }
    }

    /// Writes the bytes of a photo, or the beginning and the end of a video. Holds at most 5 MiB and one chunk.
    /// - Throws: `FileError`, and errors of the body.
    func write(_ body: ObjectBody, isVideo: Bool) async throws {
        var (offset, tail) = (Int64(0), ByteBuffer())
        for try await var chunk in body {
            let start = offset
            offset += Int64(chunk.readableBytes)
            let room = isVideo ? max(0, Self.beginning - start) : .max
            let whole = Int(min(room, Int64(chunk.readableBytes)))
            if let bytes = chunk.readSlice(length: whole), whole > 0 { try await write(bytes, at: start) }
            tail.writeBuffer(&chunk)
            guard tail.readableBytes > Self.end + 1 << 20 else { continue }
            tail.moveReaderIndex(forwardBy: tail.readableBytes - Self.end)
            tail.discardReadBytes()
        }
        if tail.readableBytes > 0 { try await write(tail, at: offset - Int64(tail.readableBytes)) }
    }
}
