import NIOCore

/// This machine's address in the local network.
enum LocalNetwork {
    /// Devices of containers and virtual machines, which a phone cannot reach.
    private static let virtual = ["docker", "br-", "veth", "virbr", "vmnet", "bridge", "utun", "tun", "wg"]

    /// Returns the first private IPv4 address of a network device; `nil` without one.
    static func address() -> String? {
        let devices = (try? System.enumerateDevices()) ?? []
        return address(of: devices.map { ($0.name, $0.address?.ipAddress) })
    }

    static func address(of devices: [(name: String, address: String?)]) -> String? {
        devices.first { name, address in
            !virtual.contains(where: name.hasPrefix) && address.map(isPrivate) ?? false
        }?.address
    }

    /// RFC 1918.
    private static func isPrivate(_ address: String) -> Bool {
        let parts = address.split(separator: ".").compactMap { UInt8($0) }
        guard parts.count == 4 else { return false }
        return parts[0] == 10 || parts[0] == 172 && (16...31).contains(parts[1]) || parts[0] == 192 && parts[1] == 168
    }
}
