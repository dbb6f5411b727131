import Testing

@testable import ServiceWiring

/// Settings of TLS and of the operators' listener.
@Suite struct ListenerSettingsTests {
    private let files = [
        "PHOTOLALA_TLS_CERTIFICATE": "/etc/photolala/tls.crt", "PHOTOLALA_TLS_KEY": "/etc/photolala/tls.key",
    ]

    @Test("with a certificate the server's own addresses are https, and another public URL must be")
    func tls() throws {
        let settings = try SettingsFixture.read(files, flags: SettingsFixture.dev)
        #expect(settings.tls?.certificate == "/etc/photolala/tls.crt" && settings.tls?.key == "/etc/photolala/tls.key")
        #expect(settings.publicURL.hasPrefix("https://127.0.0.1:"))
        #expect(settings.store.endpoint.hasPrefix("https://127.0.0.1:"))
        let without = try SettingsFixture.read(flags: SettingsFixture.dev)
        #expect(without.tls == nil && without.publicURL.hasPrefix("http://127.0.0.1:"))
        let plain = files.merging(["PHOTOLALA_PUBLIC_URL": "http://photos.example"]) { $1 }
        #expect(
            try SettingsFixture.problems(plain, flags: SettingsFixture.dev)
                == ["publicURL: must be https with tls.certificate, not http://photos.example"])
    }

    @Test("a certificate without its key is a problem, and the other way round", arguments: ["CERTIFICATE", "KEY"])
    func half(name: String) throws {
        #expect(
            try SettingsFixture.problems(["PHOTOLALA_TLS_\(name)": "/etc/file"], flags: SettingsFixture.dev)
                == ["tls.certificate, tls.key: set both or neither"])
    }

    @Test("the operators' listener is off by default, has an address of its own, and in dev one on loopback")
    func operators() throws {
        func problems(_ address: String) throws -> [String] {
            try SettingsFixture.problems(["PHOTOLALA_OPERATOR_LISTEN": address], flags: SettingsFixture.dev)
        }
        #expect(try SettingsFixture.read(flags: SettingsFixture.dev).operatorListen == nil)
        let set = try SettingsFixture.read(
            ["PHOTOLALA_OPERATOR_LISTEN": "127.0.0.1:9464"], flags: SettingsFixture.dev)
        #expect(set.operatorListen == .network(ListenAddress(host: "127.0.0.1", port: 9464)))
        #expect(try problems("127.0.0.1:9000") == ["operator.listen: must be an address of its own"])
        #expect(try problems("192.0.2.1:9464").first?.hasPrefix("operator.listen: must be a loopback address") == true)
        #expect(try problems("9464").first?.hasPrefix("operator.listen: must be HOST:PORT, or unix: and ") == true)
    }
}
