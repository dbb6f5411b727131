import NIOCore

/// The photos of one account of an Immich server.
package protocol ImmichLibrary: Sendable {
    /// The address of the server, which belongs to the identity of the account.
    var address: String { get }

    /// Lists the photos and albums.
    func content() async throws(ImmichError) -> ImmichContent

    /// Returns the bytes of a file, which are verified at their end. The sequence throws `ImmichError`.
    func original(of asset: ImmichAsset) -> any AsyncSequence<ByteBuffer, any Error> & Sendable
}

/// The reason why an Immich server, or one of its photos, cannot be read.
package enum ImmichError: Error, Equatable, Sendable {
    /// The request was not sent, such as without a connection.
    case unreachable(String)
    /// The certificate is not trusted.
    case notTrusted(String)
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

    /// The error in words.
    package var message: String {
        switch self {
        case .unreachable(let reason): "Cannot reach the Immich server: \(reason)."
        case .notTrusted(let reason): "The Immich server is not trusted: \(reason)."
        case .noAnswer: "The Immich server does not respond."
        case .redirected(let target):
            "The Immich server redirects\(target.map { " to \($0)" } ?? ""). Give the address that it redirects to."
        case .keyRefused: "The Immich server does not accept the API key."
        case .permissionMissing(let permission): "The API key does not have the permission \(permission)."
        case .notImmich: "There is no Immich server at this address."
        case .versionNotSupported(let version): "Immich \(version) is not supported. Update it to version 2 or later."
        case .busy: "The Immich server is rate limiting requests. Try again later."
        case .serverFailed(let status): "The Immich server failed with status \(status)."
        case .missing: "not in Immich any more"
        case .malformed(let request): "Unexpected response of the Immich server to \(request)."
        case .tooLarge(let request): "The Immich server's response to \(request) is too large."
        case .changing: "The photos of the Immich server change while they are listed. Try again later."
        case .damaged: "differs from Immich's checksum"
        case .cancelled: "Cancelled."
        }
    }
}
