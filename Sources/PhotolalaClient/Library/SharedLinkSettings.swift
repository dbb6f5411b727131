import Foundation

/// What a person chooses for a new shared link.
public struct SharedLinkSettings: Sendable, Equatable {
    /// When the link ends; `nil` for a link that does not expire.
    public var expiresAt: Date?
    /// What visitors must enter, 8 to 128 bytes; `nil` for a link without a password.
    public var password: String?
    /// Whether visitors may download the originals.
    public var allowsDownloads: Bool
    /// Whether originals are sent unchanged; otherwise without location and other personal metadata.
    public var includesLocation: Bool

    /// Creates settings; without arguments those of a link that does not expire and is for viewing only.
    public init(
        expiresAt: Date? = nil, password: String? = nil, allowsDownloads: Bool = false, includesLocation: Bool = false
    ) {
        self.expiresAt = expiresAt
        self.password = password
        self.allowsDownloads = allowsDownloads
        self.includesLocation = includesLocation
    }
}
