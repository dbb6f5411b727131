import SwiftASN1
import X509

/// Checks the permitted use of the certificates of a chain, which `RFC5280Policy` does not: the leaf is not an
/// authority and may sign data, and each issuer may sign certificates (RFC 5280 sections 4.2.1.3 and 4.2.1.9).
/// `RFC5280Policy` checks path lengths.
struct SigningUsagePolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
    ]

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        do {
            if case .isCertificateAuthority? = try chain[0].extensions.basicConstraints {
                return .failsToMeetPolicy(reason: "leaf is a certificate authority")
            }
            if let usage = try chain[0].extensions.keyUsage, !usage.digitalSignature {
                return .failsToMeetPolicy(reason: "leaf key usage excludes signatures")
            }
            for issuer in chain.dropFirst() {
                if let usage = try issuer.extensions.keyUsage, !usage.keyCertSign {
                    return .failsToMeetPolicy(reason: "issuer key usage excludes certificates")
                }
            }
            guard case .isCertificateAuthority? = try chain[1].extensions.basicConstraints else {
                return .failsToMeetPolicy(reason: "intermediate is not a certificate authority")
            }
        } catch {
            return .failsToMeetPolicy(reason: "malformed extension")
        }
        return .meetsPolicy
    }
}
