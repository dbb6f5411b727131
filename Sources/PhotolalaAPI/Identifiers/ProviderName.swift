/// The name of an identity provider as this deployment calls it: 1 to 32 characters of `a-z`, `0-9` and `-`.
///
/// `email` is reserved for the store's own hints and is never a provider.
public struct ProviderName: Hashable, Sendable, Codable, LosslessStringConvertible, Comparable {
    /// Sign in with Apple.
    public static let apple = ProviderName(verified: "apple")
    /// Sign in with Google.
    public static let google = ProviderName(verified: "google")
    /// Sign in with Microsoft.
    public static let microsoft = ProviderName(verified: "microsoft")
    /// Facebook Login.
    public static let facebook = ProviderName(verified: "facebook")
    /// The names of the providers that are built in. Each stands for that provider alone.
    public static let builtIn: [ProviderName] = [.apple, .google, .microsoft, .facebook]

    /// The name itself.
    public let description: String

    private init(verified name: String) { description = name }

    /// Checks a name; gives `nil` for one that is empty, too long, reserved or has other characters.
    public init?(_ description: String) {
        let allowed = description.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || $0 == UInt8(ascii: "-")
        }
        guard allowed, (1...32).contains(description.utf8.count), description != "email" else { return nil }
        self.description = description
    }

    /// Decodes a name and throws `DecodingError.dataCorrupted` for one that breaks the rule.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = ProviderName(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a provider name")
            )
        }
        self = value
    }

    /// Encodes the name as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Orders names by their bytes.
    public static func < (left: ProviderName, right: ProviderName) -> Bool { left.description < right.description }
}
