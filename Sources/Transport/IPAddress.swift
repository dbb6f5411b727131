import NIOCore

/// An IP address as a number. IPv4-mapped IPv6 addresses are converted to IPv4.
package struct IPAddress: Sendable, Equatable {
    package let value: UInt128
    /// The number of bits: 32 or 128.
    package let width: Int

    /// Returns `nil` for anything but an IP address, such as a path.
    package init?(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            value = UInt128(
                UInt32(bigEndian: withUnsafeBytes(of: address.address.sin_addr) { $0.load(as: UInt32.self) }))
            width = 32
        case .v6(let address):
            let number = withUnsafeBytes(of: address.address.sin6_addr) { bytes in
                bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            }
            let isMapped = number >> 32 == 0xffff
            value = isMapped ? number & 0xffff_ffff : number
            width = isMapped ? 32 : 128
        default: return nil
        }
    }

    /// Parses an address without brackets and port.
    package init?(_ text: some StringProtocol) {
        guard let address = try? SocketAddress(ipAddress: String(text), port: 0) else { return nil }
        self.init(address)
    }

    /// Parses an address from a proxy's header, with the optional brackets and port.
    package init?(writtenByProxy text: Substring) {
        var host = text
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            host = host[host.index(after: host.startIndex)..<end]
        } else if host.count(where: { $0 == ":" }) == 1 {
            host = host.prefix { $0 != ":" }
        }
        self.init(host)
    }
}
