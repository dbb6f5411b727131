/// Comparisons whose duration does not depend on the bytes.
package enum ConstantTime {
    /// Returns whether both contain the same bytes. The duration reveals only the lengths.
    @inlinable
    package static func isEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
