import Crypto
import CryptoExtras
import Foundation
import Logging
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import Transport

@testable import DevelopmentIdentityProvider
@testable import IdentityProviders

/// A verifier with its provider, and signing as the provider or as an attacker.
struct VerifierFixture: Sendable, CustomTestStringConvertible {
    enum Kind: String, CaseIterable { case apple, google, es256 }

    /// Generating a key is slow, so all tests share two.
    static let providerKey = Result { try DevelopmentSigningKey.generate() }
    static let strangerKey = Result { try DevelopmentSigningKey.generate() }

    let testDescription: String
    let clock = TestClock()
    let verifier: OpenIDTokenVerifier
    let transport: CountingTransport
    let genuine: TokenDraft
    let sign: @Sendable (Data, TokenDraft.Signer) throws -> Data

    var conformance: IdentityTokenVerifierConformance {
        IdentityTokenVerifierConformance(verifier: verifier, genuine: genuine, now: clock.now, sign: sign)
    }

    init(_ kind: Kind) throws {
        testDescription = kind.rawValue
        let issuer = "https://issuer.example"
        var settings: IdentityProviderSettings
        let keySet: Data
        let (algorithm, keyID): (String, String)
        switch kind {
        case .apple, .google:
            settings = kind == .apple ? .apple(audiences: ["app"]) : .google(audiences: ["app"])
            let key = try Self.providerKey.get()
            (algorithm, keyID, keySet) = ("RS256", key.id, key.keySetDocument)
            sign = { input, signer in
                let key = signer == .provider ? Self.providerKey : Self.strangerKey
                let rsa = try _RSA.Signing.PrivateKey(derRepresentation: key.get().derRepresentation)
                return try rsa.signature(for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5).rawRepresentation
            }
        case .es256:
            let name = try #require(ProviderName("corporate"))
            settings = IdentityProviderSettings(
                name: name, issuers: [issuer], keySet: .url("\(issuer)/keys"), audiences: ["app"]
            )
            settings.algorithms = [.es256]
            let (key, stranger) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
            (algorithm, keyID, keySet) = ("ES256", "ec", Self.keySet(key.publicKey))
            sign = { input, signer in
                try (signer == .provider ? key : stranger).signature(for: input).rawRepresentation
            }
        }
        transport = CountingTransport(body: keySet)
        let clock = clock
        verifier = OpenIDTokenVerifier(
            settings: settings, transport: transport, logger: Logger(label: "test"), now: { clock.now }
        )
        let now = Int(clock.now.timeIntervalSince1970)
        genuine = TokenDraft(
            header: ["alg": "\"\(algorithm)\"", "kid": "\"\(keyID)\"", "typ": #""JWT""#],
            claims: [
                "iss": "\"\(settings.issuers[0])\"", "aud": #""app""#, "sub": #""001.bob""#, "iat": "\(now - 5)",
                "exp": "\(now + 600)",
            ]
        )
    }

    private static func keySet(_ key: P256.Signing.PublicKey) -> Data {
        let (x, y) = (key.rawRepresentation.prefix(32), key.rawRepresentation.suffix(32))
        let members = #""kty":"EC","crv":"P-256","x":"\#(Base64URL.encode(x))","y":"\#(Base64URL.encode(y))""#
        return Data(#"{"keys":[{"kid":"ec",\#(members)}]}"#.utf8)
    }

    /// Returns a token from a modified copy of the genuine draft.
    func token(_ change: (inout TokenDraft) -> Void = { _ in }) throws -> String {
        var draft = genuine
        change(&draft)
        return try draft.token(sign: sign)
    }
}
