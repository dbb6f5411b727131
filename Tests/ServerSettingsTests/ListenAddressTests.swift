import Testing

@testable import ServiceWiring

/// The development provider signs in any identity, so only true loopback addresses may count as loopback.
@Suite struct ListenAddressTests {
    @Test(
        "loopback addresses are recognized",
        arguments: ["127.0.0.1:80", "127.255.255.254:80", "[::1]:80", "[::ffff:127.0.0.1]:80", "[0:0:0:0:0:0:0:1]:80"])
    func loopback(text: String) throws {
        #expect(try #require(ListenAddress(text)).isLoopback)
    }

    @Test(
        "other addresses and all host names are not loopback",
        arguments: [
            "127.evil.example:80", "127.0.0.1.evil.example:80", "127.1:80", "localhost.evil.example:80", "0.0.0.0:80",
            "128.0.0.1:80", "[::]:80", "[::ffff:128.0.0.1]:80", "[::127.0.0.1]:80", "[fe80::1]:80", "*:80",
            "2130706433:80", "0x7f.0.0.1:80",
        ])
    func elsewhere(text: String) throws {
        #expect(try !#require(ListenAddress(text)).isLoopback)
    }

    @Test("localhost is 127.0.0.1 without a lookup", arguments: ["localhost:8080", "LocalHost:8080"])
    func localhost(text: String) {
        #expect(ListenAddress(text) == ListenAddress(host: "127.0.0.1", port: 8080))
    }

    @Test(
        "an address is formatted as it was parsed", arguments: ["127.0.0.1:8080", "[::1]:9000", "photos.example:443"])
    func description(text: String) {
        #expect(ListenAddress(text)?.description == text)
    }
}
