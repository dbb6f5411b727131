import NIOCore
import ObjectStorage

/// The encoding of attributes: each name and value is preceded by its length (32 bits).
enum AttributeCoding {
    /// Returns `nil` for empty attributes, as all objects of the service itself have.
    static func encode(_ attributes: ObjectAttributes) -> ByteBuffer? {
        guard !attributes.isEmpty else { return nil }
        var buffer = ByteBuffer()
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            for text in [name, value] {
                buffer.writeInteger(UInt32(truncatingIfNeeded: text.utf8.count))
                buffer.writeString(text)
            }
        }
        return buffer
    }

    /// Returns `nil` if the bytes are not valid output of `encode`.
    static func decode(_ bytes: ByteBuffer) -> ObjectAttributes? {
        var buffer = bytes
        var attributes = ObjectAttributes()
        while buffer.readableBytes > 0 {
            guard let name = text(&buffer), let value = text(&buffer) else { return nil }
            attributes[name] = value
        }
        return attributes
    }

    private static func text(_ buffer: inout ByteBuffer) -> String? {
        buffer.readInteger(as: UInt32.self).flatMap { buffer.readString(length: Int($0)) }
    }
}
