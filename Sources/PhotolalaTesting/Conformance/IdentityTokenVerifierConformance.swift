import Accounts
import Foundation

/// The requirements for every `IdentityTokenVerifier`. A test provides a genuine draft and a signing function.
package struct IdentityTokenVerifierConformance: Sendable {
    private let verifier: any IdentityTokenVerifier
    private let genuine: TokenDraft
    private let now: Date
    private let sign: @Sendable (Data, TokenDraft.Signer) throws -> Data

    /// - Parameters:
    ///   - genuine: A draft that the verifier accepts: `alg`, `kid`, `iss`, one `aud`, `sub`, `iat`, `exp`. The
    ///     verifier's settings must have a leeway of 60 s and a maximum age of 600 s.
    ///   - now: The time of the verifier's clock.
    ///   - sign: Returns the JWS signature of a signing input.
    package init(
        verifier: any IdentityTokenVerifier, genuine: TokenDraft, now: Date,
        sign: @escaping @Sendable (Data, TokenDraft.Signer) throws -> Data
    ) {
        self.verifier = verifier
        self.genuine = genuine
        self.now = now
        self.sign = sign
    }

    /// Runs every check.
    package func check() async throws {
        try await checkGenuineTokens()
        for attack in TokenAttack.all { try await expectRejection(attack) }
    }

    /// Checks that a genuine token is accepted, including one with unknown members that a provider may add.
    package func checkGenuineTokens() async throws {
        let subject = try await expectAcceptance("a genuine token") { _ in }
        let same = try await expectAcceptance("unknown values") { draft in
            draft.claim("real_user_status", #""2""#)
            draft.claim("new_claim", #"{"deep":[1,2.5e3,null,true,"\u00e9\ud83d\ude00"]}"#)
            draft.header("new_parameter", "1")
        }
        guard same == subject else { throw VerifierConformanceFailure("the subject depends on other claims") }
        let plain = genuine.claims.first { $0.name == "aud" }?.json ?? ""
        _ = try await expectAcceptance("a list of one audience") { $0.claim("aud", "[\(plain)]") }
        _ = try await expectAcceptance("times with fractions") { draft in
            draft.claim("iat", "\(now.timeIntervalSince1970 - 0.5)")
            draft.claim("exp", "\(now.timeIntervalSince1970 + 0.5)")
        }
        _ = try await expectAcceptance("times at the edge of the leeway") { draft in
            draft.claim("exp", "\(now.timeIntervalSince1970 - 59)")
            draft.claim("iat", "\(now.timeIntervalSince1970 - 659)")
            draft.claim("nbf", "\(now.timeIntervalSince1970 + 60)")
        }
        let longest = String(repeating: "s", count: 255)
        guard try await expectAcceptance("a subject of 255 bytes", { $0.claim("sub", "\"\(longest)\"") }) == longest
        else {
            throw VerifierConformanceFailure("a long subject was changed")
        }
        try await checkNonce()
        try await checkUnusualEmails()
    }

    /// Checks that the verifier rejects the attack with the expected error.
    package func expectRejection(_ attack: TokenAttack) async throws {
        var draft = genuine
        attack.draft(&draft, now)
        let token = attack.text(try draft.token(sign: sign))
        do {
            _ = try await verifier.verify(token)
        } catch {
            guard attack.isRightAnswer(error) else { throw VerifierConformanceFailure("\(attack): answered \(error)") }
            return
        }
        throw VerifierConformanceFailure("\(attack): accepted")
    }

    private func checkNonce() async throws {
        var draft = genuine
        draft.claim("nonce", #""n \/ 0S6""#)
        let identity = try await verifier.verify(draft.token(sign: sign))
        guard identity.nonce == "n / 0S6" else { throw VerifierConformanceFailure("the nonce was changed") }
        draft.claim("nonce", nil)
        guard try await verifier.verify(draft.token(sign: sign)).nonce == nil else {
            throw VerifierConformanceFailure("a nonce came from nowhere")
        }
    }

    /// Checks that claims about the e-mail address never invalidate a genuine token, and that unclear values count as
    /// false.
    private func checkUnusualEmails() async throws {
        for (verified, expected) in [
            ("true", true), (#""true""#, true), ("false", false), (#""false""#, false), (#""True""#, false),
            ("1", false), ("null", false), ("[]", false),
        ] {
            var draft = genuine
            draft.claim("email", #""bob@example.com""#)
            draft.claim("email_verified", verified)
            let email = try await verifier.verify(draft.token(sign: sign)).email
            guard email?.address == "bob@example.com", email?.isVerified == expected else {
                throw VerifierConformanceFailure("email_verified \(verified) was read as \(String(describing: email))")
            }
        }
        for address in ["7", #""""#, #""bob""#, #""@""#, #""bob@""#, #""b b@example.com""#, #""a\u0000@b""#] {
            var draft = genuine
            draft.claim("email", address)
            guard try await verifier.verify(draft.token(sign: sign)).email == nil else {
                throw VerifierConformanceFailure("\(address) was taken for an address")
            }
        }
    }

    private func expectAcceptance(_ what: String, _ change: (inout TokenDraft) -> Void) async throws -> String {
        var draft = genuine
        change(&draft)
        do {
            let identity = try await verifier.verify(draft.token(sign: sign))
            guard identity.provider == verifier.provider else {
                throw VerifierConformanceFailure("\(what): another provider's name")
            }
            return identity.subject
        } catch let error as IdentityTokenError {
            throw VerifierConformanceFailure("\(what): refused as \(error)")
        }
    }
}

/// A violation of a verifier's requirements.
package struct VerifierConformanceFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
