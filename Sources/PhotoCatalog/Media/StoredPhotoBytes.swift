import NIOCore
import ObjectStorage

/// The bytes of a stored photo in which its type and facts are searched: the first ones, and of a video whose description
/// follows its frames the first ones of that.
struct StoredPhotoBytes: Sendable {
    /// The length of the photo in bytes.
    let size: Int64
    let head: ByteBuffer
    private(set) var further: (offset: Int64, bytes: ByteBuffer)?

    /// Where the boxes go on that the head does not have; `nil` if it has the description, or is of another kind.
    fileprivate var furtherOffset: Int64? {
        guard let type = MediaSniffer.type(head: head, name: ""), [.quickTime, .mp4, .mobile3GPP].contains(type) else {
            return nil
        }
        var walk = BoxWalk(media)
        let boxes = walk.boxes(in: 0..<size)
        guard let last = boxes.last, !boxes.contains(where: { $0.kind == "moov" }) else { return nil }
        return last.payload.upperBound < size ? last.payload.upperBound : nil
    }

    var media: MediaBytes {
        MediaBytes(head: head, size: size) { [further] offset, count in
            guard let further, offset >= further.offset, offset - further.offset < Int64(further.bytes.readableBytes)
            else { return nil }
            var bytes = further.bytes
            bytes.moveReaderIndex(forwardBy: Int(offset - further.offset))
            return bytes.readSlice(length: min(count, bytes.readableBytes))
        }
    }

    fileprivate mutating func add(_ bytes: ByteBuffer, at offset: Int64) { further = (offset, bytes) }
}

extension ObjectStore {
    /// Returns the bytes of a stored photo in which its type and facts are searched; `nil` if it is not stored. One request,
    /// two for a video whose description follows its frames.
    func readPhoto(_ key: ObjectKey) async throws -> StoredPhotoBytes? {
        guard let first = try await readPart(key, at: 0) else { return nil }
        var photo = StoredPhotoBytes(size: first.size, head: first.bytes)
        if let offset = photo.furtherOffset, let further = try await readPart(key, at: offset) {
            photo.add(further.bytes, at: offset)
        }
        return photo
    }

    private func readPart(_ key: ObjectKey, at offset: Int64) async throws -> (size: Int64, bytes: ByteBuffer)? {
        let range = ByteRange.closed(first: offset, last: offset + Int64(MediaReading.headLength - 1))
        guard let reading = try await read(key, range: range) else { return nil }
        var bytes = ByteBuffer()
        for try await var chunk in reading.body { bytes.writeBuffer(&chunk) }
        return (reading.info.size, bytes)
    }
}
