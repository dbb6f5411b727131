import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import StorageAccess
import UseCases

@testable import Sessions

extension FuzzedParser {
    private static let dpopClaims = [
        #"""
        {"jti":"e1j3V_bKic8-LAEB","htm":"POST","htu":"https://photos.example/auth/refresh","iat":1790000000,
        "nonce":"k1.AAAA","ath":"fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"}
        """#
    ]

    /// Values that this service creates and receives back: only the service can create or change them.
    static func sessions() async throws -> [FuzzedParser] {
        let service = try await TestService.make()
        let session = try await service.signUp(.apple, "fuzz").session
        let device = session.deviceID
        let challenges = try (0..<3).map { _ in
            let request = ChallengeRequest(purpose: .signin, deviceID: device)
            return try service.services.identities.makeChallenge(request, caller: nil).challenge
        }
        let identity = VerifiedSignIn(
            identity: VerifiedIdentity(provider: .apple, subject: "x", issuedAt: service.clock.now),
            authorizationCode: nil
        )
        let pending = try (0..<3).map { _ in try service.components.pendingIdentities.seal(identity, for: device).sealed
        }
        let receipts = try [nil, UserID(uuid: device.uuid)].map {
            try service.components.deletionCodes.makeReceiptCode(for: $0, requestedBy: .provider(.facebook))
        }
        let codes = try (0..<3).map { _ in
            try service.services.deviceAuthorization.createDeviceCode {
                ["client_id": "photolala", "device_platform": "linux"][$0]
            }
            .deviceCode
        }
        let grant = StorageGrant(
            user: UserID(uuid: device.uuid), device: device, session: SessionID(uuid: device.uuid), access: .readWrite,
            expiresAt: service.clock.now.addingTimeInterval(600))
        let storage = SealedStorageSession(grant, randomness: .seeded(3))
        let storageToken = try storage.token(keyRing: service.keyRing, randomness: .seeded(4))
        return [
            FuzzedParser(text: "DPoP proof's claims", dpopClaims, tokens: .json) {
                (try? DPoPClaims(Data($0.utf8))) != nil
            },
            FuzzedParser(text: "target of a DPoP proof", ["https://a.example:8443/auth/../b", "http://[::1]/%7e"]) {
                TargetURI($0) != nil
            },
            selfIssuedOnly("access token", [session.accessToken], service) { text, service in
                _ = try await service.services.authenticator.authenticate(text)
            },
            FuzzedParser(text: "refresh token", [session.refreshToken], tokens: .http) { text in
                guard let token = RefreshToken.decode(text, service.keyRing) else { return false }
                try PropertyViolation.unless(
                    try token.encoded(service.keyRing) == text, "a refresh token has one encoding")
                return true
            },
            selfIssuedOnly("challenge", challenges, service) { text, service in
                let challenges = service.components.challenges
                let checked = try challenges.verify(text, .request(.signin, device, user: nil))
                try challenges.requireNonce(text, of: checked, lacksNonceSupport: false)
                try await challenges.consume(checked)
            },
            selfIssuedOnly("pending identity", pending, service) { text, service in
                _ = try await service.components.pendingIdentities.consume(
                    text, device: device, for: .signup, verifier: nil)
            },
            selfIssuedOnly("deletion receipt", receipts, service) { text, service in
                guard service.components.deletionCodes.user(of: text, requestedBy: .provider(.facebook)) != nil else {
                    throw SecretsError.notAuthentic
                }
            },
            selfIssuedOnly("device code", codes, service) { text, service in
                do { _ = try service.components.deviceCodes.open(text) } catch SessionError.invalidToken {
                    throw SecretsError.notAuthentic
                }
            },
            FuzzedParser(text: "typed user code", ["BCDF-GHJK-LMNP", " bcdf ghjk\tlmnp"], tokens: .http) { text in
                guard let letters = UserCodes.letters(in: text) else { return false }
                try PropertyViolation.unless(
                    letters.utf8.count == UserCodes.length && UserCodes.letters(in: letters) == letters,
                    "a user code has twelve letters")
                return true
            },
            selfIssuedOnly("storage session", [storageToken], service) { text, service in
                let opened = SealedStorageSession.open(
                    token: text, accessKeyID: storage.accessKeyID, keyRing: service.keyRing)
                guard opened == storage else { throw SecretsError.notAuthentic }
            },
        ]
    }

    /// Only values created here are accepted.
    private static func selfIssuedOnly(
        _ name: String, _ corpus: [String], _ service: TestService,
        _ check: @escaping @Sendable (String, TestService) async throws -> Void
    ) -> FuzzedParser {
        FuzzedParser(text: name, corpus, tokens: .http) { text in
            do {
                try await check(text, service)
            } catch is ServiceError {
                return false
            } catch is SealedStateError {
                return false
            } catch is SecretsError {
                return false
            }
            try PropertyViolation.unless(
                corpus.contains { $0.utf8.elementsEqual(text.utf8) }, "only genuine values open")
            return true
        }
    }
}
