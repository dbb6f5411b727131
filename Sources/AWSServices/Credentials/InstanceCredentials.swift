import HTTPTypes
import NIOCore
import Transport

/// The credentials of an EC2 instance's role, from the instance metadata service, version 2. A token is requested
/// first, which protects against server-side request forgery.
package struct InstanceCredentials: Sendable {
    private let endpoint: String
    private let transport: any HTTPTransport

    /// - Parameter endpoint: The URL without a trailing slash.
    package init(endpoint: String = "http://169.254.169.254", transport: any HTTPTransport) {
        self.endpoint = endpoint
        self.transport = transport
    }

    /// Fetches the credentials.
    /// - Throws: `refused` if the instance has no role, `unavailable` if the service does not respond.
    package func fetch() async throws(CredentialError) -> ExpiringCredentials {
        let token = try await text(
            TransportRequest(
                method: .put, url: "\(endpoint)/latest/api/token", headers: Self.field("token-ttl-seconds", "21600")
            )
        )
        let headers = Self.field("token", token)
        let roles = "\(endpoint)/latest/meta-data/iam/security-credentials/"
        let role = try await text(TransportRequest(method: .get, url: roles, headers: headers))
        let response = try await CredentialResponse.of(
            TransportRequest(method: .get, url: roles + role, headers: headers), over: transport
        )
        return try response.keys()
    }

    private func text(_ request: TransportRequest) async throws(CredentialError) -> String {
        let body = try await CredentialResponse.of(request, over: transport).body()
        let line = String(buffer: body).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard !line.isEmpty else { throw .refused("instance without a role") }
        return line
    }

    private static func field(_ name: String, _ value: String) -> HTTPFields {
        guard let name = HTTPField.Name("x-aws-ec2-metadata-\(name)") else { return [:] }
        return [name: value]
    }
}
