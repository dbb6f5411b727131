import Crypto
import Foundation
import SwiftASN1
import X509

/// A certificate for 127.0.0.1 that signs itself, and its key, in two files.
package struct TestTLSFiles {
    package let certificate: URL
    package let key: URL
    private let now: Date

    package init(in folder: URL, now: Date) {
        self.now = now
        (certificate, key) = (folder.appendingPathComponent("tls.crt"), folder.appendingPathComponent("tls.key"))
    }

    /// Writes a new certificate with a new key, valid from an hour ago for a day by default.
    /// - Parameter parts: Which of the two files to write.
    /// - Returns: The certificate in PEM form.
    @discardableResult
    package func write(
        from start: Date? = nil, until end: Date? = nil, parts: Set<String> = ["certificate", "key"]
    ) throws -> String {
        let (privateKey, name) = (P256.Signing.PrivateKey(), try DistinguishedName { CommonName("127.0.0.1") })
        let issued = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(privateKey.publicKey),
            notValidBefore: start ?? now - 3600,
            notValidAfter: end ?? now + 86_400, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([.ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1]))])
            }, issuerPrivateKey: .init(privateKey))
        let text = try issued.serializeAsPEM().pemString
        if parts.contains("certificate") { try text.write(to: certificate, atomically: true, encoding: .utf8) }
        if parts.contains("key") {
            try privateKey.pemRepresentation.write(to: key, atomically: true, encoding: .utf8)
        }
        return text
    }
}
