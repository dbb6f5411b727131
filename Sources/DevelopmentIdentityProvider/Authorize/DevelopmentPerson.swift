import PhotolalaAPI

/// A test person of the sign-in page; `photolala --dev-user` uses the same persons.
package struct DevelopmentPerson: Sendable {
    /// The name, 1 to 64 letters, digits, `.`, `-` and `_`.
    package let name: String
    let email: String

    package static let all = ["bob", "alice", "carol"].compactMap { DevelopmentPerson($0) }

    /// - Parameter email: an address that replaces the default one, because rules may depend on its domain.
    package init?(_ name: String, email: String? = nil) {
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isName, (1...64).contains(name.utf8.count) else { return nil }
        guard email.map({ $0.utf8.count <= 254 && $0.contains("@") }) ?? true else { return nil }
        self.name = name
        self.email = email ?? "\(name.lowercased())@photolala.example"
    }

    var displayName: String { "\(name.prefix(1).uppercased())\(name.dropFirst()) Example" }

    /// Returns the token request for this person.
    func request(client: String, nonce: String?) -> DevelopmentTokenRequest {
        DevelopmentTokenRequest(
            subject: "dev-\(name)", email: email, nonce: nonce, name: displayName, audience: client)
    }
}
