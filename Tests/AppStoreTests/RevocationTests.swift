import AppStore
import Crypto
import Foundation
import PhotolalaTesting
import Subscriptions
import Testing

/// Tests the optional revocation check.
@Suite struct RevocationTests {
    let clock = TestClock()
    let store: TestAppStore
    let responder: TestResponder

    init() throws {
        var options = TestCertificates.Options()
        options.responder = "http://ocsp.example/leaf"
        store = TestAppStore(certificates: try TestCertificates(options), clock: clock)
        responder = TestResponder(certificates: store.certificates, clock: clock)
    }

    private func verifier(_ transport: StubTransport) throws -> AppStoreVerifier {
        AppStoreVerifier(
            settings: AppStoreSettings(bundleIDs: [TestAppStore.bundleID], appAppleID: nil, environments: [.sandbox]),
            chains: try CertificateChains(
                roots: [store.certificates.root], responders: transport, now: { [clock] in clock.now }),
            now: { [clock] in clock.now }
        )
    }

    private func signed() throws -> String {
        try store.transaction(TestPurchase(TestAppStore.basic, id: "1", at: clock.now))
    }

    private func transport(_ status: TestResponder.Status) -> StubTransport {
        StubTransport { [responder] in (200, try responder.answer($0.body, status)) }
    }

    @Test func `a good certificate is checked once in 15 minutes`() async throws {
        let transport = transport(.good)
        let verifier = try verifier(transport)
        for _ in 0..<3 { _ = try await verifier.transaction(try signed()) }
        #expect(transport.asked.map(\.url) == ["http://ocsp.example/leaf"])
        clock.advance(by: 901)
        _ = try await verifier.transaction(try signed())
        #expect(transport.asked.count == 2)
    }

    @Test func `a certificate that is revoked after it was good is refused`() async throws {
        let transport = transport(.good)
        let verifier = try verifier(transport)
        _ = try await verifier.transaction(try signed())
        transport.setResponse { [responder] in (200, try responder.answer($0.body, .revoked)) }
        clock.advance(by: 901)
        let error = await #expect(throws: SignedDataError.self) { try await verifier.transaction(try signed()) }
        guard case .untrustedChain = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `an unusable OCSP response is reported as unavailable and not cached`() async throws {
        struct Silence: Error {}
        let other = P384.Signing.PrivateKey()
        var stranger = responder
        stranger.key = other
        let answers: [StubTransport.Answer] = [
            { _ in throw Silence() }, { _ in (503, []) }, { _ in (200, [1, 2, 3]) },
            // The OCSP status `tryLater`.
            { _ in (200, [0x30, 0x03, 0x0a, 0x01, 0x03]) },
            { [responder] in (200, try responder.answer($0.body, .unknown)) },
            { [stranger] in (200, try stranger.answer($0.body, .good)) },
            { [stranger] in (200, try stranger.answer($0.body, .revoked)) },
        ]
        for answer in answers {
            let transport = StubTransport(answer)
            let verifier = try verifier(transport)
            let error = await #expect(throws: SignedDataError.self) {
                try await verifier.transaction(try signed())
            }
            guard case .unavailable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            transport.setResponse { [responder] in (200, try responder.answer($0.body, .good)) }
            _ = try await verifier.transaction(try signed())
        }
    }

    @Test func `an untrusted chain causes no OCSP request`() async throws {
        let transport = transport(.good)
        let verifier = try verifier(transport)
        let stranger = try TestAppStore.stranger(clock: clock)
        await #expect(throws: SignedDataError.untrustedChain("unknown root")) {
            try await verifier.transaction(
                try stranger.transaction(TestPurchase(TestAppStore.basic, id: "1", at: clock.now)))
        }
        #expect(transport.asked.isEmpty)
    }

    @Test func `with revocation checks the chain must be valid now`() async throws {
        var options = TestCertificates.Options()
        options.validUntil = clock.now.addingTimeInterval(-100)
        let store = TestAppStore(certificates: try TestCertificates(options), clock: clock)
        let chains = try CertificateChains(
            roots: [store.certificates.root], responders: transport(.good), now: { [clock] in clock.now })
        let verifier = AppStoreVerifier(
            settings: AppStoreSettings(bundleIDs: [TestAppStore.bundleID], appAppleID: nil, environments: [.sandbox]),
            chains: chains, now: { [clock] in clock.now })
        let signed = try store.transaction(
            TestPurchase(TestAppStore.basic, id: "1", at: clock.now), signedAt: clock.now.addingTimeInterval(-500))
        await #expect(throws: SignedDataError.expiredChain) { try await verifier.transaction(signed) }
    }
}
