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
        guard (1...1024).contains(key.utf8.count), !key.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            return nil
        }
        let named = allowsMarker && key.utf8.last == UInt8(ascii: "/") ? key.utf8.dropLast() : key.utf8[...]
        for segment in named.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard (1...255).contains(segment.count), !segment.elementsEqual(".".utf8), !segment.elementsEqual("..".utf8)
            else { return nil }
        }
        description = key
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
