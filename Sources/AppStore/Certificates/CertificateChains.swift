import Crypto
import Foundation
import Subscriptions
import SwiftASN1
import Synchronization
import Transport
@_spi(FixedExpiryValidationTime) import X509

/// Verifies the certificate chains of signed data and caches valid ones: Apple uses the same chains for months.
package final class CertificateChains: Sendable {
    /// The most valid chains that are cached.
    static let maximumCached = 32
    /// An upper bound for the size of Apple's certificates, in bytes.
    static let maximumSize = 4096
    /// How long a revocation check is valid, in seconds.
    static let revocationLifetime: TimeInterval = 900

    private let roots: [Certificate]
    /// Checks whether certificates were revoked; `nil` if revocation is not checked.
    private let revocation: RevocationRequests?
    private let now: @Sendable () -> Date
    private let cached = Mutex<[Data: CachedChain]>([:])

    private struct CachedChain {
        let key: P256.Signing.PublicKey
        /// The time in which each certificate of the chain is valid.
        let validity: ClosedRange<Date>
        let checkedAt: Date
    }

    /// - Parameters:
    ///   - roots: the root certificates in DER form.
    ///   - responders: the transport to OCSP responders; `nil` to skip revocation checks.
    /// - Throws: an error for a malformed root certificate.
    package init(
        roots: [[UInt8]], responders: (any HTTPTransport)? = nil, now: @escaping @Sendable () -> Date
    ) throws {
        self.roots = try roots.map { try Certificate(derEncoded: $0) }
        revocation = responders.map { RevocationRequests(transport: $0) }
        self.now = now
    }

    /// Returns whether the bytes are a certificate in DER form.
    package static func isCertificate(_ bytes: [UInt8]) -> Bool { (try? Certificate(derEncoded: bytes)) != nil }

    /// Returns the key of the first of three certificates, the second of which is issued by a configured root.
    ///
    /// A root is trusted as a name and a key (RFC 5280 section 6.1.1): the last certificate of the chain may be another
    /// certificate of the same root, and is not read.
    /// - Parameters:
    ///   - chain: the certificates in base64 (RFC 7515 section 4.1.6), the signer's first, the root last.
    ///   - signedAt: when the chain must have been valid; within `AppStoreTime.sane`. If revocation is checked, the
    ///     chain must be valid now instead, because OCSP has no answers for the past.
    func signer(of chain: [String], at signedAt: Date) async throws(SignedDataError) -> P256.Signing.PublicKey {
        guard chain.count == 3 else { throw .untrustedChain("\(chain.count) certificates") }
        let time = revocation == nil ? signedAt : now()
        var hash = SHA256()
        for certificate in chain {
            // The lengths separate the certificates unambiguously.
            hash.update(data: Data("\(certificate.utf8.count):\(certificate)".utf8))
        }
        let name = Data(hash.finalize())
        if let known = cached.withLock({ $0[name] }), isCurrent(known) {
            guard known.validity.contains(time) else { throw .expiredChain }
            return known.key
        }
        let checked = try await check(chain, at: time)
        cached.withLock { known in
            // Clearing the whole cache is rare and costs one verification for each chain in use.
            if known.count >= Self.maximumCached { known.removeAll() }
            known[name] = checked
        }
        return checked.key
    }

    private func isCurrent(_ known: CachedChain) -> Bool {
        revocation == nil || abs(now().timeIntervalSince(known.checkedAt)) < Self.revocationLifetime
    }

    private func check(_ chain: [String], at time: Date) async throws(SignedDataError) -> CachedChain {
        var certificates: [Certificate] = []
        for text in chain {
            guard text.utf8.count <= Self.maximumSize * 4 / 3, let bytes = Data(base64Encoded: text),
                let certificate = try? Certificate(derEncoded: Array(bytes))
            else { throw .malformed("x5c") }
            certificates.append(certificate)
        }
        let (leaf, intermediate) = (certificates[0], certificates[1])
        let anchors = roots.filter {
            $0.subject == intermediate.issuer
                && $0.publicKey.isValidSignature(intermediate.signature, for: intermediate)
        }
        guard !anchors.isEmpty else { throw .untrustedChain("unknown root") }
        let from = max(leaf.notValidBefore, intermediate.notValidBefore)
        let until = min(leaf.notValidAfter, intermediate.notValidAfter)
        guard from <= until, (from...until).contains(time) else { throw .expiredChain }
        let checkedAt = now()
        try await verify(leaf, intermediate, anchors, at: time)
        guard let key = P256.Signing.PublicKey(leaf.publicKey) else { throw .untrustedChain("not a P-256 key") }
        return CachedChain(key: key, validity: from...until, checkedAt: checkedAt)
    }

    private func verify(
        _ leaf: Certificate, _ intermediate: Certificate, _ roots: [Certificate], at time: Date
    ) async throws(SignedDataError) {
        let anchors = CertificateStore(roots)
        let between = CertificateStore([intermediate])
        var plain = Verifier(rootCertificates: anchors) {
            RFC5280Policy(fixedExpiryValidationTime: time)
            MarkerPolicy()
            SigningUsagePolicy()
        }
        if let reason = await Self.failure(of: &plain, leaf, between) { throw .untrustedChain(reason) }
        guard let revocation else { return }
        var strict = Verifier(rootCertificates: anchors) {
            OCSPVerifierPolicy(failureMode: .hard, requester: revocation, fixedExpiryValidationTime: time)
            RFC5280Policy(fixedExpiryValidationTime: time)
        }
        guard let doubt = await Self.failure(of: &strict, leaf, between) else { return }
        // The strict check also fails if a responder does not answer; the lenient one fails only for a revoked
        // certificate.
        var lenient = Verifier(rootCertificates: anchors) {
            OCSPVerifierPolicy(failureMode: .soft, requester: revocation, fixedExpiryValidationTime: time)
            RFC5280Policy(fixedExpiryValidationTime: time)
        }
        if let reason = await Self.failure(of: &lenient, leaf, between) { throw .untrustedChain(reason) }
        throw .unavailable(doubt)
    }

    /// - Returns: why the chain is refused; `nil` for a valid chain.
    private static func failure(
        of verifier: inout Verifier<some VerifierPolicy>, _ leaf: Certificate, _ between: CertificateStore
    ) async -> String? {
        switch await verifier.validate(leaf: leaf, intermediates: between) {
        case .validCertificate: nil
        case .couldNotValidate(let failures):
            failures.last.map { "\($0.policyFailureReason)" } ?? "no path to the root"
        }
    }
}
