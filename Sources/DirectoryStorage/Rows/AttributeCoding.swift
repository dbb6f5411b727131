import NIOCore
import ObjectStorage

/// Attributes as bytes: each name and value with its length (32 bits) before it.
enum AttributeCoding {
    /// `nil` when there are none, which is the case for every object of the service itself.
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

    /// `nil` when the bytes are not what `encode` gives.
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
