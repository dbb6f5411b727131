/// The protected header of a JWS (RFC 7515 section 4), reduced to what is used. Of the keys that a token may bring along
/// or point to (`jku`, `x5u`) only `jwk` and `x5c` are kept.
package struct JWSHeader: Sendable, Equatable {
    package let algorithm: String
    package let keyID: String?
    package let type: String?
    /// The token's own `jwk`, which vouches for nobody: only a proof that its sender holds that very key may use it.
    package let embeddedKey: JSONValue?
    /// The token's own `x5c`, which vouches for nobody until it is checked against a root that one trusts.
    package let certificateChain: JSONValue?

    /// - Throws: `malformed`; `algorithmRefused` for critical extensions (section 4.1.11) and unencoded payloads
    ///   (RFC 7797), of which none is understood here.
    package init(_ bytes: some Sequence<UInt8>) throws(JWSError) {
        guard let members = (try? JSONReader.read(bytes))?.object else { throw .malformed("header") }
        guard members["crit"] == nil, members["b64"] == nil else { throw .algorithmRefused }
        guard let algorithm = members["alg"]?.string else { throw .algorithmRefused }
        self.algorithm = algorithm
        keyID = try Self.text("kid", in: members)
        type = try Self.text("typ", in: members)
        embeddedKey = members["jwk"]
        certificateChain = members["x5c"]
    }

    private static func text(
        _ name: String, in members: [String: JSONValue]
    ) throws(JWSError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string, (1...255).contains(text.utf8.count) else { throw .malformed(name) }
        return text
    }
}
