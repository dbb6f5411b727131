import SwiftASN1
import X509

/// What Apple's chains for signed data have and its other ones do not: exactly three certificates, of which the first
/// two carry the marker extensions. Without it any certificate that Apple gives to a developer would do.
struct MarkerPolicy: VerifierPolicy {
    /// Of the leaf: it signs receipts and signed data of the App Store.
    static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// Of the intermediate: Apple Worldwide Developer Relations.
    static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    // None is judged here, but Apple's leaf marks its key usage as critical: RFC5280Policy names that one.
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        guard chain.count == 3 else { return .failsToMeetPolicy(reason: "\(chain.count) certificates") }
        guard chain[0].extensions.contains(where: { $0.oid == Self.leafMarker }) else {
            return .failsToMeetPolicy(reason: "the leaf has no marker")
        }
        guard chain[1].extensions.contains(where: { $0.oid == Self.intermediateMarker }) else {
            return .failsToMeetPolicy(reason: "the intermediate has no marker")
        }
        return .meetsPolicy
    }
}
