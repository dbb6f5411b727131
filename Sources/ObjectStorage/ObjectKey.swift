import Foundation

/// The name of an object: 1 to 1,024 bytes of UTF-8 in segments separated by `/`.
///
/// The rule is narrower than S3's so that every store can distinguish all keys: no empty segment, no `.` or `..`, no
/// NUL or other control character, and at most 255 bytes per segment.
package struct ObjectKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let description: String

    /// Creates a key that `StorageLayout` built from typed parts and that is valid by construction.
    package init(known key: String) { description = key }

    /// Validates an external key; returns `nil` for an invalid one.
    /// - Parameter allowsMarker: Whether the key may be a folder marker, which ends in `/`: S3 clients store empty
    ///   objects there. This project never writes one, and listings of a bucket skip them.
    package init?(_ key: String, allowingFolderMarker allowsMarker: Bool = false) {
        var key = key
        guard key.withUTF8({ Self.isValid($0, allowingFolderMarker: allowsMarker) }) else { return nil }
        description = key
    }

    private static func isValid(_ key: UnsafeBufferPointer<UInt8>, allowingFolderMarker allowsMarker: Bool) -> Bool {
        guard (1...1024).contains(key.count) else { return false }
        var (length, dots) = (0, 0)
        for byte in key {
            if byte == UInt8(ascii: "/") {
                guard isSegment(length, dots) else { return false }
                (length, dots) = (0, 0)
                continue
            }
            guard byte >= 0x20, byte != 0x7f else { return false }
            length += 1
            if byte == UInt8(ascii: ".") { dots += 1 }
        }
        // After the slash of a folder marker comes nothing.
        return isSegment(length, dots) || length == 0 && allowsMarker && key.count > 1
    }

    private static func isSegment(_ length: Int, _ dots: Int) -> Bool {
        (1...255).contains(length) && !(dots == length && dots <= 2)
    }

    /// Returns whether the key begins with the bytes of a text.
    func hasPrefix(_ text: String) -> Bool {
        var (key, prefix) = (description, text)
        return key.withUTF8 { key in
            prefix.withUTF8 { prefix in
                guard let start = key.baseAddress, let wanted = prefix.baseAddress else { return prefix.isEmpty }
                return prefix.count <= key.count && memcmp(start, wanted, prefix.count) == 0
            }
        }
    }

    /// Whether the key ends in `/`, as the empty objects do that S3 clients store for folders.
    package var isFolderMarker: Bool { description.utf8.last == UInt8(ascii: "/") }

    /// UTF-8 order, which is the order of S3 listings.
    package static func < (left: ObjectKey, right: ObjectKey) -> Bool { left.order(to: right) < 0 }

    /// Swift compares strings by canonical equivalence; two encodings of `é` are two keys.
    package static func == (left: ObjectKey, right: ObjectKey) -> Bool { left.order(to: right) == 0 }

    package func hash(into hasher: inout Hasher) {
        var text = description
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Returns a negative number if this key sorts first, 0 for the same bytes.
    private func order(to other: ObjectKey) -> Int {
        var (left, right) = (description, other.description)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard let first = left.baseAddress, let second = right.baseAddress else {
                    return left.count - right.count
                }
                let order = memcmp(first, second, min(left.count, right.count))
                return order == 0 ? left.count - right.count : Int(order)
            }
        }
    }
}
