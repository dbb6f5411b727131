import NIOCore

/// The changes that remove the location and other personal metadata from a copy of a file. They never change its
/// length.
///
/// Only what is known to be harmless and needed for display remains: everything else becomes zeros. Samples of images
/// and videos are not decoded, so metadata in a codec's own stream remains.
package struct LocationRemoval: Sendable, Equatable {
    /// A range of the file and the bytes that replace it.
    struct Change: Sendable, Equatable {
        let range: Range<Int64>
        /// As many bytes as the range has; `nil` for zeros.
        let replacement: [UInt8]?
    }

    /// The changes in ascending order, which do not overlap.
    let changes: [Change]

    /// Returns the plan for a file.
    ///
    /// Reads at most 64 MiB, in pieces of at most 1 MiB and at most 4,096 of them. A JPEG or PNG file is read
    /// completely.
    /// - Parameter read: returns exactly the bytes of a range.
    /// - Returns: `nil` if the structure of the file is not known well enough to remove every location.
    /// - Throws: only what `read` throws.
    package static func plan(
        of type: MediaType, size: Int64, read: (Range<Int64>) async throws -> ByteBuffer
    ) async throws -> LocationRemoval? {
        try await plan(of: type, size: size, readLimit: RemovalReader.readLimit, read: read)
    }

    /// - Parameter readLimit: the maximum number of bytes that are read.
    static func plan(
        of type: MediaType, size: Int64, readLimit: Int, read: (Range<Int64>) async throws -> ByteBuffer
    ) async throws -> LocationRemoval? {
        try await withoutActuallyEscaping(read) { read in
            var file = RemovalReader(size: size, readLimit: readLimit, read: read)
            var changes = RemovalChanges(size: size)
            do {
                switch type {
                case .jpeg: try await JPEGRemoval.plan(&file, &changes)
                case .png: try await PNGRemoval.plan(&file, &changes)
                case .webp: try await WebPRemoval.plan(&file, &changes)
                case .gif: try await GIFRemoval.plan(&file, &changes)
                case .heic, .heif, .avif: try await BoxedMediaRemoval.plan(&file, &changes, isImage: true)
                case .quickTime, .mp4, .mobile3GPP: try await BoxedMediaRemoval.plan(&file, &changes, isImage: false)
                default: return nil
                }
                return LocationRemoval(changes: try changes.sorted())
            } catch is UnknownStructure {
                return nil
            }
        }
    }

    /// Approximate memory in bytes, for a cache.
    package var bytesInMemory: Int {
        changes.reduce(64) { sum, change in
            sum + MemoryLayout<Change>.stride + (change.replacement.map { $0.count + 32 } ?? 0)
        }
    }

    /// Applies the changes to bytes of the file that begin at `offset`. The bytes may be any part of the file.
    package func apply(to bytes: inout ByteBuffer, at offset: Int64) {
        let (end, isTooLarge) = offset.addingReportingOverflow(Int64(bytes.readableBytes))
        guard offset >= 0, !isTooLarge, offset < end else { return }
        for change in changes[firstChange(endingAfter: offset)...] {
            guard change.range.lowerBound < end else { return }
            let part = change.range.clamped(to: offset..<end)
            let index = bytes.readerIndex + Int(part.lowerBound - offset)
            if let replacement = change.replacement {
                let skipped = Int(part.lowerBound - change.range.lowerBound)
                bytes.setBytes(replacement[skipped..<skipped + part.count], at: index)
            } else {
                bytes.setRepeatingByte(0, count: part.count, at: index)
            }
        }
    }

    private func firstChange(endingAfter offset: Int64) -> Int {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].range.upperBound > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// A file's structure is not known well enough to remove every location.
struct UnknownStructure: Error {}

/// Returns a value that a known structure always has.
func known<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw UnknownStructure() }
    return value
}

func require(_ condition: Bool) throws {
    guard condition else { throw UnknownStructure() }
}
