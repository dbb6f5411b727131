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
