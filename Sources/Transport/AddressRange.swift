/// A range of IP addresses: `10.0.0.0/8`, `fd00::/8`, or a single address.
package struct AddressRange: Sendable, Equatable {
    private let first: IPAddress
    private let prefixLength: Int

    /// Returns `nil` for anything but an address or a CIDR block (RFC 4632, RFC 4291 section 2.3).
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let first = IPAddress(parts[0]),
            let length = parts.count == 1 ? first.width : Int(parts[1]), (0...first.width).contains(length)
        else { return nil }
        self.first = first
        prefixLength = length
    }

    /// Returns whether an address is in the range.
    package func contains(_ address: IPAddress) -> Bool {
        address.width == first.width && (address.value ^ first.value) >> (first.width - prefixLength) == 0
    }
}
