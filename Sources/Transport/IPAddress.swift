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

extension IPAddress {
    /// Whether the address is on the public internet: not a loopback, local network, documentation, multicast or
    /// reserved address (IANA's special-purpose registries, RFC 6890). IPv6 addresses that embed an IPv4 address (RFC
    /// 6052, 3056, 4380) are not public.
    package var isPublic: Bool { !Self.special.contains { $0.contains(self) } }

    private static let special: [AddressRange] = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/3",
        // All of IPv6 except 2000::/3, and the special-purpose ranges within it.
        "::/3", "4000::/2", "8000::/1", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    ].compactMap(AddressRange.init)
}
