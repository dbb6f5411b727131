import Testing

@testable import photolala_server

/// The development provider signs anybody in: what counts as loopback must be it.
@Suite struct ListenAddressTests {
    @Test(
        "Addresses of this machine alone are loopback",
        arguments: ["127.0.0.1:80", "127.255.255.254:80", "[::1]:80", "[::ffff:127.0.0.1]:80", "[0:0:0:0:0:0:0:1]:80"])
    func loopback(text: String) throws {
        #expect(try #require(ListenAddress(text)).isLoopback)
    }

    @Test(
        "Other addresses are not, and neither is any name",
        arguments: [
            "127.evil.example:80", "127.0.0.1.evil.example:80", "127.1:80", "localhost.evil.example:80", "0.0.0.0:80",
            "128.0.0.1:80", "[::]:80", "[::ffff:128.0.0.1]:80", "[::127.0.0.1]:80", "[fe80::1]:80", "*:80",
            "2130706433:80", "0x7f.0.0.1:80",
        ])
    func elsewhere(text: String) throws {
        #expect(try !#require(ListenAddress(text)).isLoopback)
    }

    @Test("localhost is 127.0.0.1, whatever the machine's tables say", arguments: ["localhost:8080", "LocalHost:8080"])
    func localhost(text: String) {
        #expect(ListenAddress(text) == ListenAddress(host: "127.0.0.1", port: 8080))
    }

    @Test("An address is written as it is read", arguments: ["127.0.0.1:8080", "[::1]:9000", "photos.example:443"])
    func description(text: String) {
        #expect(ListenAddress(text)?.description == text)
    }
}
