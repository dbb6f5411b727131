import NIOCore

/// The recognition of sidecars by their first bytes, among files with a sidecar's name.
package enum SidecarSniffer {
    /// The longest sidecar, in bytes.
    package static let longest: Int64 = 16 << 20

    package static func accepts(_ head: ByteBuffer, as type: MediaType) -> Bool {
        var bytes = head.readableBytesView[...]
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
        bytes = bytes.drop { $0 == UInt8(ascii: " ") || (9...13).contains($0) }
        switch type {
        case .takeoutDescription: return bytes.first == UInt8(ascii: "{")
        case .appleEdits: return bytes.first == UInt8(ascii: "<") || bytes.starts(with: Array("bplist".utf8))
        // In UTF-16, a byte order mark and a NUL may precede the `<`.
        default: return bytes.prefix(4).contains(UInt8(ascii: "<"))
        }
    }
}
