import Foundation

/// Where a service is reached.
package struct ServiceEndpoint: Sendable, Equatable {
    /// `http` or `https`.
    let scheme: String
    /// With the port, unless it is the scheme's own.
    let host: String
    /// Percent-encoded; empty, or begins with `/` and does not end in one.
    let path: String

    /// Gives `nil` for anything but `http` or `https`, a host and perhaps a port and a path.
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

    /// Whether the service is one of AWS, interface endpoints of a VPC included.
    package var isAWS: Bool {
        let name = host.prefix { $0 != ":" }
        return Self.domains.contains { name.hasSuffix(".\($0.domain)") }
    }

    /// The address of AWS's own service in a region, without a slash at its end.
    package static func aws(_ service: String, region: String) -> String {
        let domain = domains.first { region.hasPrefix($0.regions) }?.domain ?? "amazonaws.com"
        return "https://\(service).\(region).\(domain)"
    }

    /// The domains of AWS, with what the names of their regions begin with.
    private static let domains = [
        (regions: "cn-", domain: "amazonaws.com.cn"), (regions: "eusc-", domain: "amazonaws.eu"),
        (regions: "", domain: "amazonaws.com"),
    ]
}
