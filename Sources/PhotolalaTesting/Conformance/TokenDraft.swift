import Foundation
import Secrets

/// A token in the making: members are pairs of a name and raw JSON, so a draft can hold what no encoder would write.
package struct TokenDraft: Sendable {
    /// Who signs.
    package enum Signer: Sendable {
        /// The key that the provider publishes under the draft's `kid`.
        case provider
        /// A key of the same kind that the provider never published.
        case stranger
    }

    package struct Member: Sendable {
        package let name: String
        package let json: String
    }

    package var header: [Member]
    package var claims: [Member]
    package var signer = Signer.provider

    /// - Parameters: values in JSON, so a string stands in its quotes.
    package init(header: KeyValuePairs<String, String>, claims: KeyValuePairs<String, String>) {
        self.header = header.map { Member(name: $0, json: $1) }
        self.claims = claims.map { Member(name: $0, json: $1) }
    }

    /// Replaces a claim, or adds it; `nil` removes it.
    package mutating func claim(_ name: String, _ json: String?) {
        claims.removeAll { $0.name == name }
        if let json { claims.append(Member(name: name, json: json)) }
    }

    /// Replaces a header parameter, or adds it; `nil` removes it.
    package mutating func header(_ name: String, _ json: String?) {
        header.removeAll { $0.name == name }
        if let json { header.append(Member(name: name, json: json)) }
    }

    /// The signed token.
    /// - Parameter sign: gives the JWS signature of the signing input.
    package func token(sign: @Sendable (Data, Signer) throws -> Data) throws -> String {
        let input = "\(Self.encode(header)).\(Self.encode(claims))"
        return "\(input).\(Base64URL.encode(try sign(Data(input.utf8), signer)))"
    }

    private static func encode(_ members: [Member]) -> String {
        let text = members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",")
        return Base64URL.encode(Data("{\(text)}".utf8))
    }
}
