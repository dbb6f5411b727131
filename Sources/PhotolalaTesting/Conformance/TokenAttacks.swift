import Accounts
import Foundation

extension TokenAttack {
    /// Every attack that an OpenID Connect verifier must reject. A draft has one audience and no `azp`.
    package static let all: [TokenAttack] = textAttacks + headerAttacks + audienceAttacks + timeAttacks + claimAttacks

    private static let textAttacks: [TokenAttack] = [
        .text("an empty token") { _ in "" },
        .text("not a token") { _ in "not a token" },
        .text("two segments") { token in token.split(separator: ".").prefix(2).joined(separator: ".") },
        .text("four segments") { token in token + ".e30" },
        .text("a token with padding") { token in token + "==" },
        .text("a line end behind it") { token in token + "\n" },
        .text("the other base64 alphabet") { token in "+/" + token },
        // The last character of a base64url signature of 64, 256 or 512 bytes contains unused bits; the next character
        // decodes to the same bytes.
        .text("a stray bit at the end of the signature") { token in
            String(decoding: token.utf8.dropLast() + token.utf8.suffix(1).map { $0 &+ 1 }, as: UTF8.self)
        },
        .text("16 KiB and more") { token in token + String(repeating: "A", count: 16 * 1024) },
        .text("JSON serialisation") { token in #"{"payload":"e30","signatures":[{"signature":"\#(token)"}]}"# },
        .text("a header that is not JSON") { token in "AAAA" + token },
        .text("letters beyond ASCII") { token in "é" + token },
    ]

    private static let headerAttacks: [TokenAttack] = [
        .draft("no algorithm at all", .algorithmRefused) { draft, _ in draft.header("alg", nil) },
        .draft("algorithm none", .algorithmRefused) { draft, _ in draft.header("alg", #""none""#) },
        .draft("algorithm None in other letters", .algorithmRefused) { draft, _ in draft.header("alg", #""nOnE""#) },
        .draft("a symmetric algorithm", .algorithmRefused) { draft, _ in draft.header("alg", #""HS256""#) },
        .draft("an algorithm that the provider does not use", .algorithmRefused) { draft, _ in
            draft.header("alg", #""PS512""#)
        },
        .draft("an algorithm in small letters", .algorithmRefused) { draft, _ in draft.header("alg", #""rs256""#) },
        .draft("an algorithm that is a number", .algorithmRefused) { draft, _ in draft.header("alg", "256") },
        .draft("a critical extension", .algorithmRefused) { draft, _ in draft.header("crit", #"["foo"]"#) },
        .draft("an empty list of critical extensions", .algorithmRefused) { draft, _ in draft.header("crit", "[]") },
        .draft("an unencoded payload", .algorithmRefused) { draft, _ in draft.header("b64", "false") },
        .draft("no key id", .unknownKey) { draft, _ in draft.header("kid", nil) },
        .draft("an unknown key id", .unknownKey) { draft, _ in draft.header("kid", #""another-key""#) },
        .malformed("a key id that is a number") { draft, _ in draft.header("kid", "1") },
        .malformed("a header parameter twice") { draft, _ in draft.header += draft.header.prefix(1) },
        .draft("a stranger's signature", .badSignature) { draft, _ in draft.signer = .stranger },
        .draft("a stranger's key in the header", .badSignature) { draft, _ in
            draft.signer = .stranger
            draft.header("jwk", #"{"kty":"oct","k":"AAAA"}"#)
            draft.header("jku", #""https://attacker.example/keys""#)
            draft.header("x5u", #""https://attacker.example/chain""#)
            draft.header("x5c", #"["AAAA"]"#)
        },
        .rule("a security event token by its type") { draft, _ in draft.header("typ", #""secevent+jwt""#) },
    ]

    private static let audienceAttacks: [TokenAttack] = [
        .draft("another issuer", .wrongIssuer) { draft, _ in draft.claim("iss", #""https://attacker.example""#) },
        .malformed("no issuer") { draft, _ in draft.claim("iss", nil) },
        .malformed("an issuer that is a list") { draft, _ in draft.claim("iss", #"["https://attacker.example"]"#) },
        .draft("another audience", .wrongAudience) { draft, _ in draft.claim("aud", #""another-audience""#) },
        .malformed("no audience") { draft, _ in draft.claim("aud", nil) },
        .malformed("an empty list of audiences") { draft, _ in draft.claim("aud", "[]") },
        .malformed("an audience that is a number") { draft, _ in draft.claim("aud", "[1]") },
        .malformed("an audience that is an object") { draft, _ in draft.claim("aud", "{}") },
        .draft("a further audience that is not ours", .wrongAudience) { draft, _ in
            let ours = draft.claims.first { $0.name == "aud" }?.json ?? "\"\""
            draft.claim("aud", #"[\#(ours),"another-audience"]"#)
            draft.claim("azp", ours)
        },
        .draft("several audiences and no word on who asked", .wrongAudience) { draft, _ in
            let ours = draft.claims.first { $0.name == "aud" }?.json ?? "\"\""
            draft.claim("aud", "[\(ours),\(ours)]")
        },
        .draft("requested by another party", .wrongAudience) { draft, _ in draft.claim("azp", #""another-audience""#) },
        .malformed("asked for by a number") { draft, _ in draft.claim("azp", "7") },
    ]

    private static let timeAttacks: [TokenAttack] = [
        .draft("expired", .expired) { draft, now in draft.claim("exp", seconds(now, -61)) },
        .malformed("no expiry") { draft, _ in draft.claim("exp", nil) },
        .malformed("an expiry in words") { draft, now in draft.claim("exp", "\"\(seconds(now, 600))\"") },
        .malformed("an expiry beyond every number") { draft, _ in draft.claim("exp", "1e400") },
        .malformed("an expiry beyond every calendar") { draft, _ in draft.claim("exp", "1e17") },
        .malformed("an expiry before every calendar") { draft, _ in draft.claim("exp", "-99999999999999") },
        .malformed("an expiry that is no number") { draft, _ in draft.claim("exp", "NaN") },
        .malformed("no time of issue") { draft, _ in draft.claim("iat", nil) },
        .malformed("a time of issue that is null") { draft, _ in draft.claim("iat", "null") },
        .draft("issued in the future", .notCurrent) { draft, now in draft.claim("iat", seconds(now, 61)) },
        .draft("issued a year ahead", .notCurrent) { draft, now in draft.claim("iat", seconds(now, 31_536_000)) },
        .draft("issued too long ago", .notCurrent) { draft, now in draft.claim("iat", seconds(now, -661)) },
        .draft("not valid yet", .notCurrent) { draft, now in draft.claim("nbf", seconds(now, 61)) },
        .malformed("not valid before a word") { draft, _ in draft.claim("nbf", #""now""#) },
    ]

    private static let claimAttacks: [TokenAttack] = [
        .draft("no subject", .badSubject) { draft, _ in draft.claim("sub", nil) },
        .draft("an empty subject", .badSubject) { draft, _ in draft.claim("sub", #""""#) },
        .draft("a subject that is a number", .badSubject) { draft, _ in draft.claim("sub", "12") },
        .draft("a subject of 256 bytes", .badSubject) { draft, _ in
            draft.claim("sub", "\"\(String(repeating: "s", count: 256))\"")
        },
        .malformed("a subject twice") { draft, _ in draft.claims.append(.init(name: "sub", json: #""other""#)) },
        .malformed("a subject twice, once in escapes") { draft, _ in
            draft.claims.append(.init(name: #"\u0073ub"#, json: #""other""#))
        },
        .malformed("a nonce that is a number") { draft, _ in draft.claim("nonce", "5") },
        .malformed("claims nested without end") { draft, _ in
            draft.claim("deep", String(repeating: "[", count: 4000) + String(repeating: "]", count: 4000))
        },
        .malformed("half a surrogate pair") { draft, _ in draft.claim("sub", #""\ud800""#) },
        .malformed("claims that break off") { draft, _ in draft.claim("z", "") },
        .rule("a security event token by its claims") { draft, _ in draft.claim("events", "{}") },
    ]

    private static func seconds(_ now: Date, _ offset: Double) -> String {
        "\(Int(exactly: (now.timeIntervalSince1970 + offset).rounded()) ?? 0)"
    }
}
