import NIOCore

/// The photos of one account of an Immich server.
package protocol ImmichLibrary: Sendable {
    /// The address of the server, which belongs to the identity of the account.
    var address: String { get }

    /// Lists the photos and albums.
    func content() async throws(ImmichError) -> ImmichContent

    /// Returns the bytes of a file, which are verified at their end. The sequence throws `ImmichError`.
    /// - Parameter isRetried: Whether a request that fails for a passing reason is repeated.
    func original(of asset: ImmichAsset, isRetried: Bool) -> any AsyncSequence<ByteBuffer, any Error> & Sendable
}

/// The reason why an Immich server, or one of its photos, cannot be read.
package enum ImmichError: Error, Equatable, Sendable {
    /// The request was not sent, such as without a connection.
    case unreachable(address: String, reason: String)
    /// The certificate is not trusted.
    case notTrusted(address: String, reason: String)
    /// The server did not answer in time, or stopped in the middle of an answer.
    case noAnswer
    /// A redirect, which is not followed: the key is sent only to the given address.
    case redirected(to: String?)
    /// The API key is not valid.
    case keyRefused
    /// The API key does not have a permission.
    case permissionMissing(String)
    /// The address has no Immich API.
    case notImmich
    case versionNotSupported(String)
    /// Too many requests.
    case busy
    case serverFailed(status: Int)
    /// A requested asset does not exist any more.
    case missing
    /// The answer to a request is not as Immich documents it.
    case malformed(request: String)
    case tooLarge(request: String)
    /// The list of photos changes while it is read.
    case changing
    /// The bytes of a file do not have Immich's checksum.
    case damaged
    case cancelled
}

extension ImmichError {
    /// The major versions whose API is known.
    package static let supportedVersions = 2...3

    /// What happened, as a clause.
    package var reason: String {
        switch self {
        case .unreachable(let address, let reason): "cannot reach the Immich server at \(address): \(reason)"
        case .notTrusted(let address, let reason): "the Immich server at \(address) is not trusted: \(reason)"
        case .noAnswer: "the Immich server does not respond"
        case .redirected(let target): "the Immich server redirects\(target.map { " to \($0)" } ?? "")"
        case .keyRefused: "the Immich server does not accept the API key"
        case .permissionMissing(let permission): "the Immich API key does not have the permission \(permission)"
        case .notImmich: "there is no Immich server at this address"
        case .versionNotSupported(let version):
            "Immich \(version) is not supported, only versions \(Self.supportedVersions.lowerBound) to "
                + "\(Self.supportedVersions.upperBound)"
        case .busy: "the Immich server is rate limiting requests"
        case .serverFailed(let status): "the Immich server failed with status \(status)"
        case .missing: "not in Immich any more"
        case .malformed(let request): "unexpected response of the Immich server to \(request)"
        case .tooLarge(let request): "the Immich server's response to \(request) is too large"
        case .changing: "the photos of the Immich server change while they are listed"
        case .damaged: "differs from Immich's checksum"
        case .cancelled: "cancelled"
        }
    }

    /// The error in words, with what the user can do.
    package var message: String {
        let sentence = reason.prefix(1).uppercased() + reason.dropFirst() + "."
        return advice.map { "\(sentence) \($0)" } ?? sentence
    }

    /// What the user can do, if the error leaves that open.
    package var advice: String? {
        switch self {
        case .redirected: "Give the address that it redirects to."
        case .permissionMissing: "Add it in Immich under Account Settings, API Keys."
        case .versionNotSupported(let version):
            (Int(version.prefix { $0 != "." }) ?? 0) < Self.supportedVersions.lowerBound
                ? "Update Immich." : "Update photolala."
        case .busy, .changing: "Try again later."
        default: nil
        }
    }
}
