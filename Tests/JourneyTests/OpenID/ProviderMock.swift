import Foundation
import HTTPTypes
import PhotolalaTesting
import Transport

/// oidc-provider-mock: it signs in every named person, for any client.
struct ProviderMock: OpenIDServer {
    let issuer: String
    let algorithm: String? = nil
    let clientSecret: String? = "secret"
    let transport: any HTTPTransport
    private let process: ChildProcess

    static var program: URL? {
        InstalledClients.folder(with: "bin/oidc-provider-mock")?.appending(path: "bin/oidc-provider-mock")
    }

    init(transport: any HTTPTransport) async throws {
        guard let program = Self.program else { throw ConformanceFailure("run scripts/install-clients") }
        let port = try freePort()
        issuer = "http://127.0.0.1:\(port)"
        self.transport = transport
        process = try ChildProcess(
            program, ["--host", "127.0.0.1", "--port", "\(port)"], output: .discarded, errors: .discarded)
        try await waitUntilReady { try await send(.get, "\(issuer)/jwks", type: "text/plain").status == 200 }
    }

    /// Kills it: on SIGTERM it would wait for its clients' connections.
    func stop() { process.kill() }

    var tokenURL: String { "\(issuer)/oauth2/token" }

    func authorize(_ subject: String, client: String, query: String) async throws -> String? {
        let form = "application/x-www-form-urlencoded"
        return try await send(.post, "\(issuer)/oauth2/authorize?\(query)", "sub=\(subject)", type: form)
            .headers[.location]
    }
}
