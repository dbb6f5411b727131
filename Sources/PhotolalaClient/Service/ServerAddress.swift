import Foundation
import PhotolalaAPI

/// The address of a Photolala server: `https://host[:port][/path]`.
///
/// Plain `http` is rejected unless the host is this machine, because tokens must not be sent unencrypted.
public struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// The normalized address, without a trailing slash.
    public let description: String

    /// Parses an address.
    /// - Parameters:
    ///   - text: The address as written by a person, such as `https://photos.example.org`.
    ///   - allowsPlainHTTP: Accepts `http` to other machines, for a network that you trust with your tokens.
    /// - Throws: `unusableAddress` with the reason.
    public init(_ text: String, allowsPlainHTTP: Bool = false) throws(PhotolalaError) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.percentEncodedHost?.lowercased(), !host.isEmpty
        else { throw Self.refusal("“\(text)” is not a valid server URL. Use the form https://photos.example.org.") }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw Self.refusal("A server URL must not contain a user name, password, query or fragment.")
        }
        guard scheme == "https" || allowsPlainHTTP || Self.isLoopback(host) else {
            throw Self.refusal("\(text) is unencrypted: tokens could be intercepted. Use https.")
        }
        guard parts.port.map({ (1...65_535).contains($0) }) ?? true else {
            throw Self.refusal("“\(text)” is not a valid server URL: its port must be 1 to 65535.")
        }
        let port = parts.port.map { ":\($0)" } ?? ""
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        description = "\(scheme)://\(host)\(port)\(path)"
    }

    /// Checks the address of the photo store that this server reports. The store receives the photos: plain `http` is
    /// accepted to this machine, and to other machines only if this server itself is on another machine and reached by
    /// plain `http`.
    package func checkedPhotoStore(_ endpoint: String) throws(PhotolalaError) -> ServerAddress {
        let isHere = URLComponents(string: description)?.percentEncodedHost.map(Self.isLoopback) ?? false
        return try ServerAddress(endpoint, allowsPlainHTTP: description.hasPrefix("http://") && !isHere)
    }

    /// Checks the address of an object in the photo store.
    package func checkedPhotoStore(at url: String) throws(PhotolalaError) -> ServerAddress {
        guard var parts = URLComponents(string: url) else { throw Self.refusal("\(url) is not a valid URL.") }
        (parts.percentEncodedPath, parts.percentEncodedQuery) = ("", nil)
        return try checkedPhotoStore(parts.string ?? "")
    }

    private static func refusal(_ detail: String) -> PhotolalaError {
        PhotolalaError(code: .unusableAddress, detail: detail)
    }

    /// Returns whether the host is this machine. A name such as `127.0.0.1.example.org` is not: all four parts must be
    /// numbers.
    private static func isLoopback(_ host: String) -> Bool {
        if ["localhost", "[::1]", "::1"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
