/// Where photos of a timeline were taken.
package enum PhotoPlace: Sendable, Hashable, CustomStringConvertible {
    case city(PlaceID)
    /// The photo has no location.
    case unlocated
    /// The location is far from any city.
    case remote

    private static let (unlocatedText, remoteText) = ("none", "remote")

    /// Parses the text form.
    package init?(_ text: String) {
        switch text {
        case Self.unlocatedText: self = .unlocated
        case Self.remoteText: self = .remote
        default:
            guard let city = PlaceID(text) else { return nil }
            self = .city(city)
        }
    }

    /// That of the city, `none` or `remote`.
    package var description: String {
        switch self {
        case .city(let city): city.description
        case .unlocated: Self.unlocatedText
        case .remote: Self.remoteText
        }
    }
}
