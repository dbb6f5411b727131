import PhotoCatalog

/// A file in a ZIP archive, as its central directory describes it.
package struct ZipMember: Sendable, Equatable {
    package let name: String
    /// Length in bytes, also in the archive.
    package let size: Int64
    package let storedSize: Int64
    package let crc32: UInt32
    package let modified: Timestamp
    /// The position of the local header.
    package let offset: Int64
    /// Why it cannot be read.
    package let refusal: Refusal?
    /// Whether it is compressed.
    package let isCompressed: Bool

    /// A reason why a file of an archive cannot be read.
    package enum Refusal: Sendable, Equatable {
        case encrypted
        /// Another compression than Deflate.
        case unknownCompression
        /// The sizes are impossible, or far beyond what photos, videos and texts compress to.
        case suspiciousSize
    }

    /// Whether it is a folder.
    package var isFolder: Bool { name.hasSuffix("/") }

    /// The length of the local header without its name and extra field.
    package static let localHeaderLength = 30

    /// Returns where the bytes begin; `nil` if there is no local header.
    package func start(afterLocalHeader header: [UInt8]) -> Int64? {
        guard header.count == Self.localHeaderLength, header.starts(with: [0x50, 0x4b, 3, 4]) else { return nil }
        let length = { (at: Int) in Int64(header[at]) | Int64(header[at + 1]) << 8 }
        return offset + Int64(Self.localHeaderLength) + length(26) + length(28)
    }
}

/// The reason why an archive cannot be read.
package enum ZipError: Error, Equatable, Sendable {
    /// The end of the archive is missing: it is no ZIP archive, or not complete.
    case noDirectory
    case damagedDirectory
    /// An archive in several pieces that only together are an archive.
    case multipart
    case tooManyFiles
}
