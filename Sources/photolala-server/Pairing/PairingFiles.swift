import Crypto
import Foundation
import NIOCore
import Secrets
import ServiceWiring
import SwiftASN1
import X509

/// The key and the certificate of a server in pairing mode. The key stays the same; the certificate signs itself, names
/// the current addresses and is made at each start.
struct PairingFiles {
    let certificate: String
    let key: String

    private static let lifetime = 30.0 * 86_400

    /// Writes the certificate, and the key if it is missing. Only their owner can read them.
    /// - Parameter hosts: The IP addresses of the listeners.
    /// - Returns: The SHA-256 of the key's SubjectPublicKeyInfo.
    func prepare(hosts: [String], now: Date) throws(StartProblem) -> [UInt8] {
        do {
            try FileManager.default.createDirectory(
                at: URL(filePath: key).deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let privateKey = try existingKey() ?? newKey()
            let pem = try Self.certificate(privateKey, hosts: hosts, now: now).serializeAsPEM().pemString
            try Self.write(pem, to: certificate)
            return Array(SHA256.hash(data: privateKey.publicKey.derRepresentation))
        } catch let problem as StartProblem {
            throw problem
        } catch {
            throw StartProblem("cannot write the files of the pairing mode, \(certificate) and \(key): \(error)")
        }
    }

    private func existingKey() throws -> P256.Signing.PrivateKey? {
        guard let text = try? String(contentsOfFile: key, encoding: .utf8) else { return nil }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: text) else {
            throw StartProblem("\(key) is damaged. Delete it, and pair all devices again")
        }
        return key
    }

    private func newKey() throws -> P256.Signing.PrivateKey {
        let fresh = P256.Signing.PrivateKey()
        try Self.write(fresh.pemRepresentation, to: key)
        return fresh
    }

    private static func write(_ text: String, to path: String) throws {
        let unfinished = "\(path).\(Hex.encode(Randomness.system.bytes(4)))"
        let file = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StartProblem("cannot create \(path): \(String(cString: strerror(errno)))") }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
        guard rename(unfinished, path) == 0 else {
            throw StartProblem("cannot replace \(path): \(String(cString: strerror(errno)))")
        }
    }

    private static func certificate(
        _ key: P256.Signing.PrivateKey, hosts: [String], now: Date
    ) throws -> Certificate {
        let name = try DistinguishedName { CommonName("Photolala in pairing mode") }
        let addresses = try hosts.map { GeneralName.ipAddress(ASN1OctetString(contentBytes: try bytes(of: $0)[...])) }
        return try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey), notValidBefore: now - 3600,
            notValidAfter: now + lifetime, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                SubjectAlternativeNames(addresses)
            }, issuerPrivateKey: .init(key))
    }

    private static func bytes(of host: String) throws -> [UInt8] {
        switch try SocketAddress(ipAddress: host, port: 0) {
        case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        default: []
        }
    }
}
