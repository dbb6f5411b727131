import NIOCore

/// A range of IP addresses: `10.0.0.0/8`, `fd00::/8`, or a single address.
package struct AddressRange: Sendable, Equatable {
    private let bytes: [UInt8]
    private let prefixLength: Int

    /// Gives `nil` for anything that is not an address or a CIDR block (RFC 4632, RFC 4291 section 2.3).
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let bytes = Self.bytes(String(parts[0])) else { return nil }
        let longest = bytes.count * 8
        guard let length = parts.count == 1 ? longest : Int(parts[1]), (0...longest).contains(length) else {
            return nil
        }
        self.bytes = bytes
        prefixLength = length
    }

    /// Whether an address lies in the range.
    func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(address), other.count == bytes.count else { return false }
        let whole = prefixLength / 8
        guard other.prefix(whole).elementsEqual(bytes.prefix(whole)) else { return false }
        let rest = prefixLength % 8
        return rest == 0 || (other[whole] ^ bytes[whole]) >> (8 - rest) == 0
    }

    /// The name under which an address is limited: IPv6 hosts own a whole /64.
    static func limitName(_ address: String) -> String {
        guard let bytes = bytes(address) else { return address }
        return (bytes.count == 16 ? bytes.prefix(8) : bytes[...]).map(String.init).joined(separator: ".")
    }

    /// The address in what a proxy wrote, without the brackets and the port that some write; `nil` for anything else.
    static func address(writtenAs text: Substring) -> String? {
        var host = text
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            host = host[host.index(after: host.startIndex)..<end]
        } else if host.count(where: { $0 == ":" }) == 1 {
            host = host.prefix { $0 != ":" }
        }
        return bytes(String(host)) == nil ? nil : String(host)
    }

    /// 4 or 16 bytes; IPv4 addresses that were mapped into IPv6 come back as themselves.
    private static func bytes(_ address: String) -> [UInt8]? {
        switch try? SocketAddress(ipAddress: address, port: 0) {
        case .v4(let address):
            return withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
            return bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
        default:
            return nil
        }
    }
}
