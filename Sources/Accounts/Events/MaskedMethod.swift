import PhotolalaAPI

/// A sign-in method as a security e-mail shows it, which tells an account from another one of the same person.
package struct MaskedMethod: Sendable, Equatable {
    package let provider: ProviderName
    /// The first character and the domain of its address; `nil` without an address.
    package let address: String?

    init(_ provider: ProviderName, address: String?) {
        self.provider = provider
        self.address = address.flatMap(Self.masked)
    }

    /// Returns an address without most of its local part; `nil` for what is no address.
    private static func masked(_ address: String) -> String? {
        guard let at = address.lastIndex(of: "@"), at > address.startIndex else { return nil }
        let name = address[..<at]
        // The first character of a name that has no other would be the whole name.
        return "\(name.count > 1 ? name.prefix(1) : "")•••\(address[at...])"
    }
}

extension AccountDirectory {
    /// The largest number of sign-in methods that a security e-mail shows.
    private static let mostMethods = 8

    /// Returns the oldest sign-in methods of an account. No request.
    package func maskedMethods(of account: AccountDocument) -> [MaskedMethod] {
        account.links.filter { $0.state != .pending && $0.state != .removing }.prefix(Self.mostMethods).map {
            MaskedMethod($0.provider, address: email(of: $0, user: account.serviceUserID))
        }
    }
}
