import Crypto
import Foundation
import PhotolalaTesting
import ServiceWiring
import Testing
import X509

@testable import photolala_server

@Suite struct PairingFilesTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("the key stays, and each start makes a certificate for its addresses and 30 days")
    func restart() throws {
        let folder = try TemporaryFolder()
        let files = PairingFiles(
            certificate: "\(folder.path)/secrets/pairing.crt", key: "\(folder.path)/secrets/pairing.key")
        let first = try files.prepare(hosts: ["192.168.1.20", "192.168.1.20"], now: Self.now)
        for path in [files.certificate, files.key] {
            let permissions = try Self.permissions(path)
            #expect(permissions == 0o600)
        }
        let second = try files.prepare(hosts: ["10.0.0.2", "fd00::1"], now: Self.now + 60)
        #expect(first == second)
        let certificate = try Certificate(pemEncoded: try String(contentsOfFile: files.certificate, encoding: .utf8))
        #expect(certificate.notValidAfter == Self.now + 60 + 30 * 86_400)
        let names = try #require(try certificate.extensions.subjectAlternativeNames).map { "\($0)" }
        #expect(names.count == 2 && names.first == "\(GeneralName.ipAddress(.init(contentBytes: [10, 0, 0, 2])))")
        let key = try P256.Signing.PrivateKey(pemRepresentation: String(contentsOfFile: files.key, encoding: .utf8))
        #expect(certificate.publicKey == .init(key.publicKey))
        #expect(first == Array(SHA256.hash(data: key.publicKey.derRepresentation)))
    }

    @Test("a damaged key is not replaced")
    func damaged() throws {
        let folder = try TemporaryFolder()
        let files = PairingFiles(certificate: "\(folder.path)/pairing.crt", key: "\(folder.path)/pairing.key")
        try Data("damaged".utf8).write(to: URL(filePath: files.key))
        #expect(throws: StartProblem.self) { _ = try files.prepare(hosts: ["10.0.0.2"], now: Self.now) }
        let text = try String(contentsOfFile: files.key, encoding: .utf8)
        #expect(text == "damaged")
    }

    @Test("the local network's address is the first private one that is not of containers")
    func localNetwork() {
        let devices: [(name: String, address: String?)] = [
            ("lo", "127.0.0.1"), ("docker0", "172.17.0.1"), ("eth1", nil), ("eth0", "203.0.113.4"),
            ("wlan0", "fe80::1"), ("wlan0", "172.32.0.1"), ("wlan0", "172.16.0.9"), ("wlan1", "10.0.0.1"),
        ]
        #expect(LocalNetwork.address(of: devices) == "172.16.0.9")
        #expect(LocalNetwork.address(of: Array(devices.prefix(6))) == nil)
    }
}
