/// The name of an identity provider in this deployment: 1 to 32 characters of `a-z`, `0-9` and `-`.
///
/// `email` is reserved for e-mail hints in the store and is never a provider.
public struct ProviderName: Hashable, Sendable, Codable, LosslessStringConvertible, Comparable {
    /// Sign in with Apple.
    public static let apple = ProviderName(verified: "apple")
    /// Sign in with Google.
    public static let google = ProviderName(verified: "google")
    /// Sign in with Microsoft.
    public static let microsoft = ProviderName(verified: "microsoft")
    /// Facebook Login.
    public static let facebook = ProviderName(verified: "facebook")
    /// The names of the built-in providers. Each of these names always means that provider.
    public static let builtIn: [ProviderName] = [.apple, .google, .microsoft, .facebook]

    /// The name as a string.
    public let description: String

    private init(verified name: String) { description = name }

    /// Creates a name, or returns `nil` if it is empty, too long or reserved, or contains other characters.
    public init?(_ description: String) {
        let allowed = description.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || $0 == UInt8(ascii: "-")
        }
        guard allowed, (1...32).contains(description.utf8.count), description != "email" else { return nil }
        self.description = description
    }

    /// Decodes a name.
    /// - Throws: `DecodingError.dataCorrupted` for a malformed name.
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
