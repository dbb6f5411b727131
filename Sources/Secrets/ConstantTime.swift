/// Comparisons whose duration tells nothing about the bytes.
package enum ConstantTime {
    /// Whether both hold the same bytes. Only the lengths show in the time it takes.
    @inlinable
    package static func isEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
