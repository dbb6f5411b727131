import Crypto
import Foundation
import NIOSSL
import PhotolalaTesting

/// A certificate that the client trusts, and the hash of its key.
struct TLSIdentity {
    let pem: String
    let key: Data
    let context: NIOSSLContext
    let hash: [UInt8]

    init() throws {
        let folder = try TemporaryFolder()
        let files = TestTLSFiles(in: URL(filePath: folder.path), now: Date())
        pem = try files.write()
        let certificate = try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem)
        key = try Data(contentsOf: files.key)
        let privateKey = try NIOSSLPrivateKey(bytes: Array(key), format: .pem)
        context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate)], privateKey: .privateKey(privateKey)))
        hash = Array(SHA256.hash(data: try certificate.extractPublicKey().toSPKIBytes()))
    }
}
