/// The reason why a file with the countries of addresses is unusable.
package enum CountryDatabaseError: Error, Equatable, Sendable {
    case unreadable
    /// The file is larger than the limit in bytes.
    case tooLarge(limit: Int)
    /// The file has no metadata of a MaxMind DB.
    case otherFormat
    /// The major version of the format is not 2.
    case otherVersion(Int)
    /// The metadata does not fit the file.
    case damaged
    /// The records name no country, as in a file of networks.
    case noCountries
}

extension CountryDatabaseError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable: "cannot be read"
        case .tooLarge(let limit): "is larger than \(limit >> 20) MiB"
        case .otherFormat: "is not a MaxMind DB file"
        case .otherVersion(let version): "has version \(version) of the MaxMind DB format, not 2"
        case .damaged: "is damaged"
        case .noCountries: "names no countries"
        }
    }
}
