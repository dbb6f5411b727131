import SwiftASN1
import X509

/// Requires what distinguishes Apple's chains for signed data from its other chains: exactly three certificates, the
/// first two of which have the marker extensions. Without this policy any certificate that Apple issues to a developer
/// would be accepted.
struct MarkerPolicy: VerifierPolicy {
    /// The leaf's marker: it signs receipts and signed data of the App Store.
    static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// The intermediate's marker: Apple Worldwide Developer Relations.
    static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    // Apple's leaf marks its key usage as critical; `SigningUsagePolicy` verifies that extension.
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        guard chain.count == 3 else { return .failsToMeetPolicy(reason: "\(chain.count) certificates") }
        guard chain[0].extensions.contains(where: { $0.oid == Self.leafMarker }) else {
            return .failsToMeetPolicy(reason: "leaf without Apple's marker extension")
        }
        guard chain[1].extensions.contains(where: { $0.oid == Self.intermediateMarker }) else {
            return .failsToMeetPolicy(reason: "intermediate without Apple's marker extension")
        }
        return .meetsPolicy
    }
}
