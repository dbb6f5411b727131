import Foundation
import Secrets

/// An unsigned token. Members are pairs of a name and raw JSON, so that a draft can contain invalid JSON.
package struct TokenDraft: Sendable {
    /// The signer of a token.
    package enum Signer: Sendable {
        /// The key that the provider publishes under the draft's `kid`.
        case provider
        /// A key of the same type that the provider has not published.
        case stranger
    }

    package struct Member: Sendable {
        package let name: String
        package let json: String
    }

    package var header: [Member]
    package var claims: [Member]
    package var signer = Signer.provider

    /// - Parameters: The values as JSON; strings include their quotes.
    package init(header: KeyValuePairs<String, String>, claims: KeyValuePairs<String, String>) {
        self.header = header.map { Member(name: $0, json: $1) }
        self.claims = claims.map { Member(name: $0, json: $1) }
    }

    /// Replaces or adds a claim; `nil` removes it.
    package mutating func claim(_ name: String, _ json: String?) {
        claims.removeAll { $0.name == name }
        if let json { claims.append(Member(name: name, json: json)) }
    }

    /// Replaces or adds a header parameter; `nil` removes it.
    package mutating func header(_ name: String, _ json: String?) {
        header.removeAll { $0.name == name }
        if let json { header.append(Member(name: name, json: json)) }
    }

    /// Returns the signed token.
    /// - Parameter sign: Returns the JWS signature of the signing input.
    package func token(sign: @Sendable (Data, Signer) throws -> Data) throws -> String {
        let input = "\(Self.encode(header)).\(Self.encode(claims))"
        return "\(input).\(Base64URL.encode(try sign(Data(input.utf8), signer)))"
    }

    private static func encode(_ members: [Member]) -> String {
        let text = members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",")
        return Base64URL.encode(Data("{\(text)}".utf8))
    }
}
