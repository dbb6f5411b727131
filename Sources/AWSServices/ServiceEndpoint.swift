import Foundation

/// Where a service is reached.
struct ServiceEndpoint: Sendable, Equatable {
    /// `http` or `https`.
    let scheme: String
    /// With the port, unless it is the scheme's own.
    let host: String
    /// Percent-encoded; empty, or begins with `/` and does not end in one.
    let path: String

    /// Gives `nil` for anything but `http` or `https`, a host and perhaps a port and a path.
    init?(_ text: String) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "https" || scheme == "http", let host = parts.encodedHost?.lowercased(), !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else { return nil }
        let standard = scheme == "https" ? 443 : 80
        let port = parts.port.flatMap { $0 == standard ? nil : ":\($0)" } ?? ""
        self.scheme = scheme
        self.host = host + port
        let path = parts.percentEncodedPath
        self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The address of AWS's own service in a region.
    static func aws(_ service: String, region: String) -> String {
        "https://\(service).\(region).\(region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com")"
    }
}
