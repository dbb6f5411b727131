import Foundation
import PhotolalaAPI

/// When a new shared link ends.
public enum SharedLinkExpiry: Sendable, Equatable {
    /// This number of days after its creation.
    case days(Int)
    /// At this time.
    case at(Date)
    /// When it is deleted.
    case never

    /// Returns the time; `nil` for `never`.
    func end(from now: Date) -> Date? {
        switch self {
        case .days(let days): now.addingTimeInterval(Double(days) * 86_400)
        case .at(let date): date
        case .never: nil
        }
    }
}

/// What a person chooses for a new shared link.
public struct SharedLinkSettings: Sendable, Equatable {
    /// When the link ends.
    public var expiry: SharedLinkExpiry
    /// What visitors must enter, 8 to 128 bytes; `nil` for a link without a password.
    public var password: String?
    /// Whether visitors may download the originals.
    public var allowsDownloads: Bool
    /// Whether originals are sent unchanged; otherwise without location and other personal metadata.
    public var includesLocation: Bool

    /// Creates settings; without arguments those of a link that ends after `NewSharedLink.standardDays` days and is for
    /// viewing only.
    public init(
        expiry: SharedLinkExpiry = .days(NewSharedLink.standardDays), password: String? = nil,
        allowsDownloads: Bool = false, includesLocation: Bool = false
    ) {
        self.expiry = expiry
        self.password = password
        self.allowsDownloads = allowsDownloads
        self.includesLocation = includesLocation
    }
}
