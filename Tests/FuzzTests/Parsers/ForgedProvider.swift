import Accounts
import Crypto
import Foundation
import Logging
import NIOCore
import PhotolalaAPI
import Secrets
import Transport

@testable import IdentityProviders

/// A provider whose key the fuzzer has, so that any content can be signed.
struct ForgedProvider: Sendable {
    static let issuer = "https://issuer.example"
    static let now = Date(timeIntervalSince1970: 1_790_000_000)
    static let header = #"{"alg":"ES256","kid":"ec","typ":"JWT"}"#
    private static let tenant = "9188040d-6c67-4c5b-b112-36a304b66dad"
    static let claims = [
        #"{"iss":"https://issuer.example","aud":"app","sub":"001.bob","iat":1789999995,"exp":1790000600,"#
            + #""email":"bob@gmail.com","email_verified":"true","nonce":"n-1"}"#,
        #"{"iss":"https://issuer.example","aud":["app","app"],"azp":"app","sub":"s\u00e9\ud83d\ude00","iat":1.79e9,"#
            + #""exp":1790000600.5,"nbf":0,"hd":"example.com","x":[{},[null,true]]}"#,
    ]
    static let microsoftClaims =
        #"{"iss":"https://issuer.example/\#(tenant)/v2.0","aud":"app","sub":"x","ver":"2.0","tid":"\#(tenant)","#
        + #""oid":"00000000-0000-0000-66f3-3332eca7ea81","iat":1789999995,"exp":1790000600,"email":"a@b.example"}"#

    /// Constant, so that apart from signatures an input is the same in every run.
    private static let key = Result {
        try P256.Signing.PrivateKey(rawRepresentation: Data(repeating: 7, count: 32))
    }
    static let x = Base64URL.encode(((try? key.get().publicKey.rawRepresentation) ?? Data()).prefix(32))
    static let y = Base64URL.encode(((try? key.get().publicKey.rawRepresentation) ?? Data()).suffix(32))

    private let standard: OpenIDTokenVerifier
    private let microsoft: OpenIDTokenVerifier

    init() throws {
        standard = Self.verifier(Self.issuer, StandardTokenRules(), Keys(issuer: nil))
        microsoft = Self.verifier(
            "\(Self.issuer)/\(MicrosoftTokenRules.placeholder)/v2.0", MicrosoftTokenRules(),
            Keys(issuer: "\(Self.issuer)/\(MicrosoftTokenRules.placeholder)/v2.0"))
    }

    /// Returns a token with a valid signature, whatever its content.
    func sign(_ claims: String, header: String = ForgedProvider.header) throws -> String {
        let input = "\(Base64URL.encode(Data(header.utf8))).\(Base64URL.encode(Data(claims.utf8)))"
        let signature = try Self.key.get().signature(for: Data(input.utf8))
        return "\(input).\(Base64URL.encode(signature.rawRepresentation))"
    }

    func verify(_ token: String) async throws -> VerifiedIdentity? {
        try await Self.refused { try await standard.verify(token) }
    }

    func verifyAsMicrosoft(_ token: String) async throws -> VerifiedIdentity? {
        try await Self.refused { try await microsoft.verify(token) }
    }

    /// Returns `nil` for a rejected token.
    private static func refused(_ verify: () async throws -> VerifiedIdentity) async throws -> VerifiedIdentity? {
        do {
            return try await verify()
        } catch is IdentityTokenError {
            return nil
        }
    }

    private static func verifier(
        _ issuer: String, _ rules: any OpenIDTokenRules, _ transport: any HTTPTransport
    ) -> OpenIDTokenVerifier {
        var settings = IdentityProviderSettings(
            name: .google, issuers: [issuer], keySet: .url("\(Self.issuer)/keys"), audiences: ["app"])
        settings.algorithms = [.es256]
        settings.rules = rules
        settings.emailTrust = .domains(["gmail.com"])
        return OpenIDTokenVerifier(
            settings: settings, transport: transport,
            logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }, now: { now })
    }

    /// Responds with the key.
    private struct Keys: HTTPTransport {
        let issuer: String?

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            let named = issuer.map { #","issuer":"\#($0)""# } ?? ""
            let key = #"{"kty":"EC","crv":"P-256","kid":"ec","x":"\#(x)","y":"\#(y)"\#(named)}"#
            return TransportResponse(
                status: 200, headers: [.contentType: "application/json"],
                body: AsyncThrowingStream { continuation in
                    continuation.yield(ByteBuffer(string: #"{"keys":[\#(key)]}"#))
                    continuation.finish()
                })
        }
    }
}
