import AppStore
import Crypto
import Foundation
import JSONCoding
import PhotolalaTesting
import Secrets
import Subscriptions
import SwiftASN1
import Testing
import X509

@Suite struct CertificateChainTests {
    let clock = TestClock()

    private func purchase() -> TestPurchase { TestPurchase(TestAppStore.basic, id: "1", at: clock.now) }

    /// Verifies a transaction that was signed with certificates of these options.
    private func verify(
        _ options: TestCertificates.Options, at time: Date? = nil
    ) async throws -> AppStoreTransaction {
        let store = TestAppStore(certificates: try TestCertificates(options), clock: clock)
        return try await store.verifier().transaction(try store.transaction(purchase(), signedAt: time))
    }

    private func expectUntrusted(_ options: TestCertificates.Options, at time: Date? = nil) async {
        let error = await #expect(throws: SignedDataError.self) { try await verify(options, at: time) }
        guard case .untrustedChain = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `the built-in root is the one that Apple publishes`() throws {
        #expect(Hex.encode(SHA256.hash(data: AppleRootCertificate.bytes)) == AppleRootCertificate.fingerprint)
        let root = try Certificate(derEncoded: AppleRootCertificate.bytes)
        #expect(root.subject == root.issuer)
        #expect(root.publicKey.isValidSignature(root.signature, for: root))
    }

    @Test func `a chain without the leaf's marker is refused`() async {
        var options = TestCertificates.Options()
        options.hasLeafMarker = false
        await expectUntrusted(options)
    }

    @Test func `a chain without the intermediate's marker is refused`() async {
        var options = TestCertificates.Options()
        options.hasIntermediateMarker = false
        await expectUntrusted(options)
    }

    @Test func `an intermediate that is not an authority is refused`() async {
        var options = TestCertificates.Options()
        options.intermediateIsAuthority = false
        await expectUntrusted(options)
    }

    @Test func `an intermediate that may not sign certificates is refused`() async {
        var options = TestCertificates.Options()
        options.intermediateSignsCertificates = false
        await expectUntrusted(options)
    }

    @Test func `a path longer than the root allows is refused`() async throws {
        var options = TestCertificates.Options()
        options.rootPathLength = 0
        await expectUntrusted(options)
        options.rootPathLength = 1
        options.intermediatePathLength = nil
        _ = try await verify(options)
    }

    @Test func `a leaf that is a certificate authority is refused`() async {
        var options = TestCertificates.Options()
        options.leafIsAuthority = true
        await expectUntrusted(options)
    }

    @Test func `a leaf whose key usage lacks signatures is refused, one without key usage accepted`() async throws {
        var options = TestCertificates.Options()
        options.leafSignsData = false
        await expectUntrusted(options)
        options.leafSignsData = nil
        _ = try await verify(options)
    }

    @Test func `a chain that ends in another certificate with the root's name and key is accepted`() async throws {
        var options = TestCertificates.Options()
        options.presentsOtherRootCertificate = true
        let certificates = try TestCertificates(options)
        #expect(certificates.chain[2] != certificates.root)
        let store = TestAppStore(certificates: certificates, clock: clock)
        let transaction = try await store.verifier().transaction(try store.transaction(purchase()))
        #expect(transaction.id == "1")
    }

    @Test func `a leaf with a key of another curve is refused`() async {
        var options = TestCertificates.Options()
        options.leafHasP256Key = false
        await expectUntrusted(options)
    }

    @Test func `certificates that were not valid at the signature date are refused`() async throws {
        var options = TestCertificates.Options()
        options.validFrom = clock.now.addingTimeInterval(-1000)
        options.validUntil = clock.now.addingTimeInterval(-100)
        await #expect(throws: SignedDataError.expiredChain) { try await verify(options) }
        await #expect(throws: SignedDataError.expiredChain) {
            try await verify(options, at: clock.now.addingTimeInterval(-1001))
        }
        _ = try await verify(options, at: clock.now.addingTimeInterval(-500))
    }

    @Test func `a cached chain is checked against each signature date`() async throws {
        var options = TestCertificates.Options()
        options.validFrom = clock.now.addingTimeInterval(-1000)
        options.validUntil = clock.now.addingTimeInterval(-100)
        let store = TestAppStore(certificates: try TestCertificates(options), clock: clock)
        let verifier = try store.verifier()
        _ = try await verifier.transaction(
            try store.transaction(purchase(), signedAt: clock.now.addingTimeInterval(-500)))
        let late = try store.transaction(purchase(), signedAt: clock.now)
        await #expect(throws: SignedDataError.expiredChain) {
            try await verifier.transaction(late)
        }
    }

    @Test func `another authority with the same structure and names is refused`() async throws {
        let (ours, theirs) = (try TestAppStore(clock: clock), try TestAppStore.stranger(clock: clock))
        let forged = try theirs.transaction(purchase())
        await #expect(throws: SignedDataError.untrustedChain("unknown root")) {
            try await ours.verifier().transaction(forged)
        }
        // The trusted root at the end of another authority's chain.
        let chain = theirs.certificates.base64Chain.dropLast() + [ours.certificates.base64Chain[2]]
        let mixed = try theirs.sign(
            theirs.payload(purchase()), header: ["x5c": .array(chain.map(JSONValue.string))])
        await #expect(throws: SignedDataError.untrustedChain("unknown root")) {
            try await ours.verifier().transaction(mixed)
        }
    }

    @Test(
        "a chain without exactly three certificates in order is refused",
        arguments: [[], [0], [0, 1], [0, 2], [0, 1, 2, 2], [1, 2, 0], [0, 0, 2], [2, 2, 2], [0, 2, 1]])
    func lengths(_ places: [Int]) async throws {
        let store = try TestAppStore(clock: clock)
        let chain = places.map { JSONValue.string(store.certificates.base64Chain[$0]) }
        let signed = try store.sign(store.payload(purchase()), header: ["x5c": .array(chain)])
        let error = await #expect(throws: SignedDataError.self) { try await store.verifier().transaction(signed) }
        guard case .untrustedChain = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "a malformed certificate is refused",
        arguments: [JSONValue.string(""), .string("AAAA"), .string("!"), .number(1), .null, .array([])])
    func garbage(_ certificate: JSONValue) async throws {
        let store = try TestAppStore(clock: clock)
        for place in 0..<3 {
            var chain = store.certificates.base64Chain.map(JSONValue.string)
            chain[place] = certificate
            let signed = try store.sign(store.payload(purchase()), header: ["x5c": .array(chain)])
            await #expect(throws: SignedDataError.malformed("x5c")) { try await store.verifier().transaction(signed) }
        }
        let without = try store.sign(store.payload(purchase()), header: ["x5c": certificate])
        let error = certificate == .array([]) ? SignedDataError.untrustedChain("0 certificates") : .malformed("x5c")
        await #expect(throws: error) { try await store.verifier().transaction(without) }
    }

    @Test func `a date outside the accepted years is refused before the chain is verified`() async throws {
        let store = try TestAppStore(clock: clock)
        let json = TestAppStore.text(.object(store.payload(purchase()))).replacing(
            #/"signedDate":\d+/#, with: "\"signedDate\":-99999999999999")
        let signed = try store.sign(json: json)
        await #expect(throws: SignedDataError.malformed("signedDate")) {
            try await store.verifier().transaction(signed)
        }
    }
}
