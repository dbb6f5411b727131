import NIOCore
import Transport

/// The credentials of a role, obtained with an identity token in a file, such as Kubernetes mounts into a pod
/// (`AssumeRoleWithWebIdentity`).
package struct WebIdentityCredentials: Sendable {
    private let endpoint: String
    private let role: String
    private let sessionName: String
    private let tokenFile: String
    private let transport: any HTTPTransport

    /// Reads `AWS_ROLE_ARN`, `AWS_WEB_IDENTITY_TOKEN_FILE` and optionally `AWS_ROLE_SESSION_NAME`; returns `nil`
    /// unless role and file are set.
    /// - Parameter endpoint: The URL of the token service, `https://sts.{region}.amazonaws.com` by default.
    package init?(
        environment: [String: String], region: String, endpoint: String? = nil, transport: any HTTPTransport
    ) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        guard let role = value("AWS_ROLE_ARN"), let file = value("AWS_WEB_IDENTITY_TOKEN_FILE") else { return nil }
        self.endpoint = endpoint ?? ServiceEndpoint.aws("sts", region: region)
        self.role = role
        sessionName = value("AWS_ROLE_SESSION_NAME") ?? "photolala"
        tokenFile = file
        self.transport = transport
    }

    /// Reads the file and exchanges its token for credentials. The token authenticates the request, which is not
    /// signed.
    /// - Throws: `refused` if the token or the role is rejected, `unavailable` if a later call may succeed.
    package func fetch() async throws(CredentialError) -> ExpiringCredentials {
        let form = TokenServiceForm(
            action: "AssumeRoleWithWebIdentity", role: role, sessionName: sessionName,
            [("WebIdentityToken", try TokenFile.read(tokenFile))]
        )
        let request = TransportRequest(
            method: .post, url: "\(endpoint)/", headers: TokenServiceForm.headers,
            body: .bytes(ByteBuffer(string: form.text))
        )
        let response = try await CredentialResponse.of(request, over: transport)
        guard response.status == 200 else { throw credentialError(response) }
        return try TokenServiceResponse.keys(response.bytes)
    }

    private func credentialError(_ response: CredentialResponse) -> CredentialError {
        let code = TokenServiceResponse.code(response.bytes)
        let message = code.isEmpty ? "HTTP \(response.status)" : "\(code) (HTTP \(response.status))"
        // Only these errors may be resolved by the file's next token or by a retry.
        let passing: Set = ["ExpiredTokenException", "IDPCommunicationError", "Throttling"]
        return response.status >= 500 || response.status == 429 || passing.contains(code)
            ? .unavailable(message) : .refused(message)
    }
}
