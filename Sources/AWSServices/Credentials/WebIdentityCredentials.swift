import NIOCore
import Transport

/// The keys of a role for whoever holds an identity token in a file, as Kubernetes puts one into a pod
/// (`AssumeRoleWithWebIdentity`).
package struct WebIdentityCredentials: Sendable {
    private let endpoint: String
    private let role: String
    private let sessionName: String
    private let tokenFile: String
    private let transport: any HTTPTransport

    /// Reads `AWS_ROLE_ARN`, `AWS_WEB_IDENTITY_TOKEN_FILE` and perhaps `AWS_ROLE_SESSION_NAME`; `nil` unless role and
    /// file are there.
    /// - Parameter endpoint: of the token service, `https://sts.{region}.amazonaws.com` by default.
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

    /// Reads the file and exchanges its token for keys. The token is the proof: the request is not signed.
    /// - Throws: `refused` when the token or the role is, `unavailable` when it may work later.
    package func fetch() async throws(CredentialError) -> ExpiringCredentials {
        let form = TokenServiceForm(
            action: "AssumeRoleWithWebIdentity", role: role, sessionName: sessionName,
            ("WebIdentityToken", try TokenFile.read(tokenFile))
        )
        let request = TransportRequest(
            method: .post, url: "\(endpoint)/", headers: TokenServiceForm.headers,
            body: .bytes(ByteBuffer(string: form.text))
        )
        let answer = try await CredentialAnswer.of(request, over: transport)
        guard answer.status == 200 else { throw refusal(answer) }
        return try TokenServiceAnswer.keys(answer.bytes)
    }

    private func refusal(_ answer: CredentialAnswer) -> CredentialError {
        let code = TokenServiceAnswer.code(answer.bytes)
        let words = code.isEmpty ? "HTTP \(answer.status)" : "\(code) (HTTP \(answer.status))"
        // The file's next token, or another minute, may help; nothing else will.
        let passing: Set = ["ExpiredTokenException", "IDPCommunicationError", "Throttling"]
        return answer.status >= 500 || answer.status == 429 || passing.contains(code)
            ? .unavailable(words) : .refused(words)
    }
}
