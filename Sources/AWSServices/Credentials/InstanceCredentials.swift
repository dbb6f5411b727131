import HTTPTypes
import NIOCore
import Transport

/// The keys of the role that an EC2 instance has, from its metadata service, version 2: a token is asked for first,
/// which a request that was tricked out of another program does not have.
package struct InstanceCredentials: Sendable {
    private let endpoint: String
    private let transport: any HTTPTransport

    /// - Parameter endpoint: without a slash at its end.
    package init(endpoint: String = "http://169.254.169.254", transport: any HTTPTransport) {
        self.endpoint = endpoint
        self.transport = transport
    }

    /// Asks for the keys.
    /// - Throws: `refused` when the instance has no role, `unavailable` when nobody answers.
    package func fetch() async throws(CredentialError) -> ExpiringCredentials {
        let token = try await text(
            TransportRequest(
                method: .put, url: "\(endpoint)/latest/api/token", headers: Self.field("token-ttl-seconds", "21600")
            )
        )
        let headers = Self.field("token", token)
        let roles = "\(endpoint)/latest/meta-data/iam/security-credentials/"
        let role = try await text(TransportRequest(method: .get, url: roles, headers: headers))
        let answer = try await CredentialAnswer.of(
            TransportRequest(method: .get, url: roles + role, headers: headers), over: transport
        )
        return try answer.keys()
    }

    private func text(_ request: TransportRequest) async throws(CredentialError) -> String {
        let body = try await CredentialAnswer.of(request, over: transport).body()
        let line = String(buffer: body).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard !line.isEmpty else { throw .refused("the instance has no role") }
        return line
    }

    private static func field(_ name: String, _ value: String) -> HTTPFields {
        guard let name = HTTPField.Name("x-aws-ec2-metadata-\(name)") else { return [:] }
        return [name: value]
    }
}
