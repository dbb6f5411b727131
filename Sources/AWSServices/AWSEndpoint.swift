import Foundation

/// The regional addresses of AWS.
package enum AWSEndpoint {
    /// Where a service of AWS answers in a region, without a slash at the end.
    /// - Parameter service: as in the address, for example `s3`.
    package static func address(of service: String, region: String) -> String {
        "https://\(service).\(region).\(region.hasPrefix("cn-") ? china : world)"
    }

    /// Whether an address is one of AWS, interface endpoints of a VPC included.
    package static func isAWS(_ address: String) -> Bool {
        guard let host = URLComponents(string: address)?.host?.lowercased() else { return false }
        return host.hasSuffix(".\(world)") || host.hasSuffix(".\(china)")
    }

    private static let world = "amazonaws.com"
    private static let china = "amazonaws.com.cn"
}
