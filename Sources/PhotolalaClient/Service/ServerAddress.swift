import Foundation
import PhotolalaAPI

/// Where a Photolala server is: `https://host[:port][/path]`.
///
/// Plain `http` is refused unless the host is this machine, for tokens must not travel in clear.
public struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address in its one spelling, without a slash at the end.
    public let description: String

    /// Checks an address.
    /// - Parameters:
    ///   - text: as a person writes it, `https://photos.example.org`.
    ///   - allowsPlainHTTP: accepts `http` to other machines, for a network that you trust with your tokens.
    /// - Throws: `unusableAddress`, and says why.
    public init(_ text: String, allowsPlainHTTP: Bool = false) throws(PhotolalaError) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.percentEncodedHost?.lowercased(), !host.isEmpty
        else { throw Self.refusal("“\(text)” is not a server's address; write it as https://photos.example.org.") }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw Self.refusal("A server's address has no name, password, “?” or “#”.")
        }
        guard scheme == "https" || allowsPlainHTTP || Self.isLoopback(host) else {
            throw Self.refusal("\(text) is plain http: whoever sits between could sign in as you. Use https.")
        }
        let port = parts.port.map { ":\($0)" } ?? ""
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        description = "\(scheme)://\(host)\(port)\(path)"
    }

    /// Checks where the photo store is that this server names. It sees the photos: plain `http` may lead no farther than
    /// to this server itself, so to this machine where it is on this machine, and elsewhere only if it was allowed.
    package func checkedPhotoStore(_ endpoint: String) throws(PhotolalaError) -> ServerAddress {
        let isHere = URLComponents(string: description)?.percentEncodedHost.map(Self.isLoopback) ?? false
        return try ServerAddress(endpoint, allowsPlainHTTP: description.hasPrefix("http://") && !isHere)
    }

    /// Whether a photo store may be spoken to at an address of one of its objects.
    package func checkedPhotoStore(at url: String) throws(PhotolalaError) -> ServerAddress {
        guard var parts = URLComponents(string: url) else { throw Self.refusal("\(url) is no address.") }
        (parts.percentEncodedPath, parts.percentEncodedQuery) = ("", nil)
        return try checkedPhotoStore(parts.string ?? "")
    }

    private static func refusal(_ detail: String) -> PhotolalaError {
        PhotolalaError(code: .unusableAddress, detail: detail)
    }

    /// A name such as `127.0.0.1.example.org` is not this machine: all four parts must be numbers.
    private static func isLoopback(_ host: String) -> Bool {
        if ["localhost", "[::1]", "::1"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
