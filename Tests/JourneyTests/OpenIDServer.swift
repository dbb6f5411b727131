import Foundation
import HTTPTypes
import NIOCore
import PhotolalaTesting
import Transport

/// An OpenID Connect server that others wrote (oidc-provider-mock), on loopback.
struct OpenIDServer {
    let issuer: String
    private let process: Process
    private let transport: any HTTPTransport

    /// The program, where `scripts/install-clients` puts it; `nil` when it is not there.
    static var program: URL? {
        let environment = ProcessInfo.processInfo.environment
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let venvs = [environment["PHOTOLALA_CLIENTS_VENV"] ?? "", root.appending(path: ".venv/clients").path]
        return venvs.map { URL(filePath: "\($0)/bin/oidc-provider-mock") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Starts it and waits until it answers.
    init(transport: any HTTPTransport) async throws {
        guard let program = Self.program else { throw ConformanceFailure("run scripts/install-clients") }
        let port = try await freePort()
        issuer = "http://127.0.0.1:\(port)"
        self.transport = transport
        process = Process()
        process.executableURL = program
        process.arguments = ["--host", "127.0.0.1", "--port", "\(port)"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<600 {
            let request = TransportRequest(method: .get, url: "\(issuer)/jwks", timeout: .seconds(5))
            if let answer = try? await transport.send(request), answer.status == 200 {
                _ = try await answer.collect(limit: 1 << 16)
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        stop()
        throw ConformanceFailure("the OpenID server did not start")
    }

    /// It would wait for its clients' connections if it was asked.
    func stop() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Signs somebody in as a browser would, and gives the ID token that the app gets for the code.
    func token(_ subject: String, for client: String, nonce: String) async throws -> String {
        let redirect = "http://127.0.0.1:1/callback"
        let query = "response_type=code&client_id=\(client)&redirect_uri=\(redirect)&scope=openid&nonce=\(nonce)"
        let page = try await post("oauth2/authorize?\(query)", "sub=\(subject)")
        let location = page.headers[.location].flatMap { URLComponents(string: $0) }
        guard let code = location?.queryItems?.first(where: { $0.name == "code" })?.value else {
            throw ConformanceFailure("no code: \(page.status)")
        }
        let secret = "client_id=\(client)&client_secret=secret"
        let answer = try await post(
            "oauth2/token", "grant_type=authorization_code&code=\(code)&redirect_uri=\(redirect)&\(secret)")
        struct Tokens: Decodable { let id_token: String }
        return try JSONDecoder().decode(Tokens.self, from: answer.body).id_token
    }

    private func post(
        _ path: String, _ form: String
    ) async throws -> (status: Int, headers: HTTPFields, body: Data) {
        let response = try await transport.send(
            TransportRequest(
                method: .post, url: "\(issuer)/\(path)",
                headers: [.contentType: "application/x-www-form-urlencoded"], body: .bytes(ByteBuffer(string: form))))
        let body = try await response.collect(limit: 1 << 20)
        return (response.status, response.headers, Data(body.readableBytesView))
    }
}
