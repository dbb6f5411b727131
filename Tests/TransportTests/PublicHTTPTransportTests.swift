import NIOCore
import Synchronization
import Testing

@testable import Transport

@Suite("HTTP to the public internet only")
struct PublicHTTPTransportTests {
    @Test(
        "loopback, local network and reserved addresses are not public",
        arguments: [
            "127.0.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
            "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.7", "224.0.0.1",
            "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1",
            "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:a00:1::",
            "2001::1", "2001:db8::1", "3fff::1", "100::1", "4000::1",
        ])
    func special(address: String) throws {
        #expect(try !#require(IPAddress(address)).isPublic)
    }

    @Test(
        "all other addresses are public",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
            "192.0.1.0", "192.169.0.0", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::1",
            "::ffff:1.1.1.1",
        ])
    func others(address: String) throws {
        #expect(try #require(IPAddress(address)).isPublic)
    }

    @Test(
        "hosts that resolve to the local machine are rejected before anything is sent",
        arguments: ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "2130706433", "127.1", "0177.0.0.1"])
    func ownNetwork(host: String) async throws {
        let asked = Mutex(0)
        try await RawServer.with { _ in
            asked.withLock { $0 += 1 }
            return .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        } _: { address in
            let url = address.replacing("127.0.0.1", with: host)
            let error = await #expect(throws: TransportError.self) {
                try await PublicHTTPTransport().send(TransportRequest(method: .get, url: url))
            }
            guard case .notSent = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(asked.withLock { $0 } == 0)
    }

    @Test("a name with one local address among others is rejected")
    func mixedAddresses() async throws {
        let addresses = try ["1.1.1.1", "10.0.0.1"].map { try SocketAddress(ipAddress: $0, port: 0) }
        let transport = PublicHTTPTransport(resolve: { _ in addresses })
        await #expect(throws: TransportError.notSent("provider.example is not a public address")) {
            try await transport.send(TransportRequest(method: .get, url: "https://provider.example/keys"))
        }
    }

    @Test("the connection is made to the checked address, with the original host name")
    func pinned() async throws {
        let heads = Mutex<[String]>([])
        let lookups = Mutex(0)
        try await RawServer.with { request in
            heads.withLock { $0.append(request.head) }
            return .text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        } _: { address in
            let loopback = try SocketAddress(ipAddress: "127.0.0.1", port: 0)
            let transport = PublicHTTPTransport(
                isAllowed: { $0 == IPAddress("127.0.0.1") },
                resolve: { _ in
                    lookups.withLock { $0 += 1 }
                    return [loopback]
                })
            let url = address.replacing("127.0.0.1", with: "provider.example") + "/keys"
            let response = try await transport.send(TransportRequest(method: .get, url: url))
            #expect(response.status == 200)
            #expect(String(buffer: try await response.collect(limit: 10)) == "ok")
        }
        #expect(lookups.withLock { $0 } == 1)
        #expect(heads.withLock { $0 }.first?.lowercased().contains("host: provider.example") == true)
    }

    @Test("a response larger than the limit is rejected")
    func longAnswer() async throws {
        try await RawServer.with { _ in
            .text("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n\(String(repeating: "x", count: 2000))")
        } _: { address in
            let transport = PublicHTTPTransport(bodyLimit: 1000, isAllowed: { _ in true })
            await #expect(throws: TransportError.tooLarge) {
                try await transport.send(TransportRequest(method: .get, url: address))
            }
        }
    }
}
