import Crypto
import Foundation
import PhotolalaTesting
import SwiftASN1
import X509

/// Answers OCSP requests (RFC 6960) as the issuer of a test's leaf certificate.
struct TestResponder: Sendable {
    enum Status: Sendable {
        case good
        case revoked
        case unknown
    }

    let certificates: TestCertificates
    let clock: TestClock
    /// The signing key; the issuer's own if `nil`.
    var key: P384.Signing.PrivateKey?

    func answer(_ request: [UInt8], _ status: Status) throws -> [UInt8] {
        let certificate = try requested(request)
        var data = DER.Serializer()
        try data.appendConstructedNode(identifier: .sequence) { data in
            // responderID: the issuer's name
            let issuer = try Certificate(derEncoded: certificates.chain[1])
            try data.serialize(issuer.subject, explicitlyTaggedWithTagNumber: 1, tagClass: .contextSpecific)
            try data.serialize(time(0))
            try data.appendConstructedNode(identifier: .sequence) { responses in
                try responses.appendConstructedNode(identifier: .sequence) { single in
                    single.serializeRawBytes(certificate)
                    try append(status, to: &single)
                    try single.serialize(time(0))
                    try single.serialize(
                        time(3600), explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific)
                }
            }
        }
        return try response(data.serializedBytes)
    }

    private func append(_ status: Status, to coder: inout DER.Serializer) throws {
        func tag(_ number: UInt) -> ASN1Identifier { ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific) }
        switch status {
        case .good: coder.appendPrimitiveNode(identifier: tag(0)) { _ in }
        case .revoked: try coder.appendConstructedNode(identifier: tag(1)) { try $0.serialize(time(-60)) }
        case .unknown: coder.appendPrimitiveNode(identifier: tag(2)) { _ in }
        }
    }

    private func response(_ data: [UInt8]) throws -> [UInt8] {
        let signature = try (key ?? certificates.intermediateKey).signature(for: SHA384.hash(data: data))
        var basic = DER.Serializer()
        try basic.appendConstructedNode(identifier: .sequence) { basic in
            basic.serializeRawBytes(data)
            try basic.appendConstructedNode(identifier: .sequence) { algorithm in
                // The OID of ecdsa-with-SHA384.
                try algorithm.serialize([1, 2, 840, 10045, 4, 3, 3] as ASN1ObjectIdentifier)
            }
            try basic.serialize(ASN1BitString(bytes: Array(signature.derRepresentation)[...]))
        }
        var response = DER.Serializer()
        try response.appendConstructedNode(identifier: .sequence) { response in
            // The status `successful`.
            response.appendPrimitiveNode(identifier: .enumerated) { $0.append(0) }
            let content = basic.serializedBytes
            try response.appendConstructedNode(
                identifier: ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
            ) { tagged in
                try tagged.appendConstructedNode(identifier: .sequence) { bytes in
                    // The OID of id-pkix-ocsp-basic.
                    try bytes.serialize([1, 3, 6, 1, 5, 5, 7, 48, 1, 1] as ASN1ObjectIdentifier)
                    try bytes.serialize(ASN1OctetString(contentBytes: content[...]))
                }
            }
        }
        return response.serializedBytes
    }

    /// Returns the CertID of a request, unchanged.
    private func requested(_ request: [UInt8]) throws -> ArraySlice<UInt8> {
        // The path: OCSPRequest, TBSRequest, requestList, the first Request, its CertID.
        var node = try DER.parse(request)
        for _ in 0..<4 {
            guard case .constructed(let children) = node.content,
                let next = children.first(where: { $0.identifier == .sequence })
            else { throw ASN1Error.unexpectedFieldType(node.identifier) }
            node = next
        }
        return node.encodedBytes
    }

    private func time(_ seconds: TimeInterval) throws -> GeneralizedTime {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: clock.now.addingTimeInterval(seconds))
        return try GeneralizedTime(
            year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0, hours: parts.hour ?? 0,
            minutes: parts.minute ?? 0, seconds: parts.second ?? 0, fractionalSeconds: 0)
    }
}
