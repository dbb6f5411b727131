import Crypto
import Foundation
import SwiftASN1
import X509

/// A certificate authority for tests with the structure of Apple's: root, intermediate and leaf, with Apple's markers.
package struct TestCertificates: Sendable {
    /// The properties of the chain. The defaults produce a valid chain.
    package struct Options: Sendable {
        package var hasLeafMarker = true
        package var hasIntermediateMarker = true
        package var intermediateIsAuthority = true
        package var intermediateSignsCertificates = true
        package var intermediatePathLength: Int? = 0
        package var rootPathLength: Int?
        package var leafIsAuthority = false
        /// `nil` creates a leaf without the extension.
        package var leafSignsData: Bool? = true
        package var leafHasP256Key = true
        /// Whether the chain ends in a different certificate with the name and key of `root`.
        package var presentsOtherRootCertificate = false
        package var validFrom = Date(timeIntervalSince1970: 1_600_000_000)
        package var validUntil = Date(timeIntervalSince1970: 2_200_000_000)
        /// The OCSP responder URL in the leaf.
        package var responder: String?

        package init() {}
    }

    /// The certificates in DER form, leaf first.
    package let chain: [[UInt8]]
    /// The root certificate that a verifier trusts, in DER form.
    package let root: [UInt8]
    package let leafKey: P256.Signing.PrivateKey
    package let intermediateKey: P384.Signing.PrivateKey
    package let rootKey: P384.Signing.PrivateKey

    package init(_ options: Options = Options()) throws {
        rootKey = P384.Signing.PrivateKey()
        intermediateKey = P384.Signing.PrivateKey()
        leafKey = P256.Signing.PrivateKey()
        let rootName = try DistinguishedName { CommonName("Test Root CA") }
        let intermediateName = try DistinguishedName { CommonName("Test Developer Relations") }
        let trusted = try Self.root(rootKey, rootName, options)
        var intermediateExtensions = try Certificate.Extensions {
            Critical(
                options.intermediateIsAuthority
                    ? BasicConstraints.isCertificateAuthority(maxPathLength: options.intermediatePathLength)
                    : .notCertificateAuthority)
            Critical(KeyUsage(keyCertSign: options.intermediateSignsCertificates, cRLSign: true))
        }
        if options.hasIntermediateMarker {
            try intermediateExtensions.append(Self.marker([1, 2, 840, 113635, 100, 6, 2, 1]))
        }
        let intermediate = try Self.certificate(
            of: .init(intermediateKey.publicKey), intermediateName, by: .init(rootKey), rootName, options,
            intermediateExtensions)
        var leafExtensions = try Self.leafExtensions(options)
        if options.hasLeafMarker { try leafExtensions.append(Self.marker([1, 2, 840, 113635, 100, 6, 11, 1])) }
        if let responder = options.responder {
            try leafExtensions.append(
                Certificate.Extension(
                    AuthorityInformationAccess([
                        .init(method: .ocspServer, location: .uniformResourceIdentifier(responder))
                    ]), critical: false))
        }
        let leaf = try Self.certificate(
            of: options.leafHasP256Key ? .init(leafKey.publicKey) : .init(P384.Signing.PrivateKey().publicKey),
            try DistinguishedName { CommonName("Test Receipt Signing") }, by: .init(intermediateKey), intermediateName,
            options, leafExtensions)
        root = try Self.bytes(trusted)
        let presented = options.presentsOtherRootCertificate ? try Self.root(rootKey, rootName, options) : trusted
        chain = try [leaf, intermediate, presented].map(Self.bytes)
    }

    /// Creates a root certificate. Each call uses a new serial number.
    private static func root(
        _ key: P384.Signing.PrivateKey, _ name: DistinguishedName, _ options: Options
    ) throws -> Certificate {
        try certificate(
            of: .init(key.publicKey), name, by: .init(key), name, options,
            try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: options.rootPathLength))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            })
    }

    private static func leafExtensions(_ options: Options) throws -> Certificate.Extensions {
        var extensions = try Certificate.Extensions {
            Critical(
                options.leafIsAuthority
                    ? BasicConstraints.isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority)
        }
        if let signsData = options.leafSignsData {
            let usage = KeyUsage(digitalSignature: signsData, keyCertSign: !signsData)
            try extensions.append(Certificate.Extension(usage, critical: true))
        }
        return extensions
    }

    /// The chain in the form of `x5c`.
    package var base64Chain: [String] { chain.map { Data($0).base64EncodedString() } }

    private static func certificate(
        of key: Certificate.PublicKey, _ subject: DistinguishedName, by issuerKey: Certificate.PrivateKey,
        _ issuer: DistinguishedName, _ options: Options, _ extensions: Certificate.Extensions
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: .init(), publicKey: key, notValidBefore: options.validFrom,
            notValidAfter: options.validUntil, issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA384,
            extensions: extensions, issuerPrivateKey: issuerKey
        )
    }

    private static func marker(_ oid: ASN1ObjectIdentifier) -> Certificate.Extension {
        // ASN.1 NULL, as in Apple's markers.
        Certificate.Extension(oid: oid, critical: false, value: [0x05, 0x00])
    }

    private static func bytes(_ certificate: Certificate) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
