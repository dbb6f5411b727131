extension IPAddress {
    /// Whether the address is of the public internet: none of a machine, a local network, a documentation, a multicast
    /// or a reserved range (IANA's special-purpose registries, RFC 6890). Where another address of IPv4 is inside one of
    /// IPv6 (RFC 6052, 3056, 4380), it is not public.
    package var isPublic: Bool { !Self.special.contains { $0.contains(self) } }

    private static let special: [AddressRange] = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/3",
        // All of IPv6 but 2000::/3, and what is special in there.
        "::/3", "4000::/2", "8000::/1", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    ].compactMap(AddressRange.init)
}
