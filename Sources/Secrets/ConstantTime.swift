import Foundation

/// Comparisons whose duration does not depend on the bytes.
package enum ConstantTime {
    /// Returns whether both contain the same bytes. The duration reveals only the lengths.
    package static func isEqual(_ left: some ContiguousBytes, _ right: some ContiguousBytes) -> Bool {
        left.withUnsafeBytes { left in right.withUnsafeBytes { isEqual(buffers: left, $0) } }
    }

    /// Returns whether both texts have the same UTF-8 bytes. The duration reveals only the lengths.
    package static func isEqual(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { isEqual(buffers: UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0)) }
        }
    }

    private static func isEqual(buffers left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
