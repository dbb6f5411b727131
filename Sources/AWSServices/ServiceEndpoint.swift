import Foundation

/// The endpoint of a service.
package struct ServiceEndpoint: Sendable, Equatable {
    /// `http` or `https`.
    let scheme: String
    /// Includes the port unless it is the scheme's default.
    let host: String
    /// Percent-encoded; empty, or begins with `/` and does not end with it.
    let path: String

    /// Returns `nil` for anything but `http` or `https`, a host, and optionally a port and a path.
    package init?(_ text: String) {
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

    /// Whether the service is AWS's, including the interface endpoints of a VPC.
    package var isAWS: Bool {
        let name = host.prefix { $0 != ":" }
        return Self.domains.contains { name.hasSuffix(".\($0.domain)") }
    }

    /// Returns the URL of AWS's own service in a region, without a trailing slash.
    package static func aws(_ service: String, region: String) -> String {
        let domain = domains.first { region.hasPrefix($0.regions) }?.domain ?? "amazonaws.com"
        return "https://\(service).\(region).\(domain)"
    }

    /// AWS's domains, with the prefixes of their region names.
    private static let domains = [
        (regions: "cn-", domain: "amazonaws.com.cn"), (regions: "eusc-", domain: "amazonaws.eu"),
        (regions: "", domain: "amazonaws.com"),
    ]
}
