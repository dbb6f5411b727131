/// The scope of a signing key: one day, one region, one service.
package struct CredentialScope: Sendable, Equatable, CustomStringConvertible {
    /// Eight digits, UTC.
    package let day: String
    package let region: String
    package let service: String

    package init(day: String, region: String, service: String) {
        self.day = day
        self.region = region
        self.service = service
    }

    package var description: String { "\(day)/\(region)/\(service)/aws4_request" }
}
