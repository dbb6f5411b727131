import Crypto
import Foundation
import HTTPTypes
import NIOCore
import PhotolalaTesting
import Secrets
import Transport

/// A third-party OpenID Connect server on loopback, where every named person has an account.
protocol OpenIDServer: Sendable {
    var issuer: String { get }
    /// The algorithm as named in the `oidc` settings; `nil` for the default.
    var algorithm: String? { get }
    /// The client secret of all apps; `nil` if they have none.
    var clientSecret: String? { get }
    var transport: any HTTPTransport { get }

    /// Signs a person in as a browser would.
    /// - Parameter query: the parameters of the authorization endpoint.
    /// - Returns: the redirect URL with the code.
    func authorize(_ subject: String, client: String, query: String) async throws -> String?

    /// The token endpoint.
    var tokenURL: String { get }

    func stop()
}

/// The servers that the tests support.
enum OpenIDServerKind: CaseIterable {
    /// oidc-provider-mock, in Python on Authlib; RS256.
    case providerMock
    /// Glewlwyd, in C on rhonabwy; ES256, PKCE required.
    case glewlwyd

    /// The servers that `scripts/install-clients` has installed.
    static var installed: [OpenIDServerKind] {
        allCases.filter { $0 == .providerMock ? ProviderMock.program != nil : Glewlwyd.root != nil }
    }

    /// Starts the server and waits until it responds.
    func start(in folder: URL, transport: any HTTPTransport) async throws -> any OpenIDServer {
        switch self {
        case .providerMock: try await ProviderMock(transport: transport)
        case .glewlwyd: try await Glewlwyd(in: folder, transport: transport)
        }
    }
}

private struct OpenIDTokens: Decodable { let id_token: String }

extension OpenIDServer {
    /// Signs a person in with PKCE, and returns the ID token that the app gets for the code.
    func token(_ subject: String, for client: String, nonce: String) async throws -> String {
        let redirect = "http%3A%2F%2F127.0.0.1%3A1%2Fcallback"
        let verifier = "\(UUID().uuidString)\(UUID().uuidString)"
        let challenge = Base64URL.encode(Data(SHA256.hash(data: Data(verifier.utf8))))
        let query = """
            response_type=code&client_id=\(client)&redirect_uri=\(redirect)&scope=openid&nonce=\(nonce)\
            &code_challenge=\(challenge)&code_challenge_method=S256
            """
        let location = try await authorize(subject, client: client, query: query).flatMap { URLComponents(string: $0) }
        guard let code = location?.queryItems?.first(where: { $0.name == "code" })?.value else {
            throw ConformanceFailure("no code")
        }
        let form = """
            grant_type=authorization_code&code=\(code)&redirect_uri=\(redirect)&client_id=\(client)\
            &code_verifier=\(verifier)\(clientSecret.map { "&client_secret=\($0)" } ?? "")
            """
        let answer = try await send(.post, tokenURL, form, type: "application/x-www-form-urlencoded")
        return try JSONDecoder().decode(OpenIDTokens.self, from: answer.body).id_token
    }

    func send(
        _ method: HTTPRequest.Method, _ url: String, _ body: String = "", type: String, cookie: String? = nil
    ) async throws -> (status: Int, headers: HTTPFields, body: Data) {
        // These servers close idle connections after seconds, and a POST on a closing connection is not retried.
        var headers: HTTPFields = [.contentType: type, .connection: "close"]
        headers[.cookie] = cookie
        let response = try await transport.send(
            TransportRequest(
                method: method, url: url, headers: headers, body: .bytes(ByteBuffer(string: body)),
                timeout: .seconds(30)))
        let collected = try await response.collect(limit: 1 << 20)
        return (response.status, response.headers, Data(collected.readableBytesView))
    }

    /// Waits until the server reports that it is ready, and stops it if it does not.
    func waitUntilReady(_ isReady: () async throws -> Bool) async throws {
        do {
            try await waitUntil("the OpenID server is ready") { (try? await isReady()) ?? false }
        } catch {
            stop()
            throw error
        }
    }
}

/// The clients that `scripts/install-clients` installs.
enum InstalledClients {
    /// Returns the folder of Python programs and of Glewlwyd, if one of them is installed.
    static func folder(with path: String) -> URL? {
        let environment = ProcessInfo.processInfo.environment
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return [environment["PHOTOLALA_CLIENTS_VENV"] ?? "", root.appending(path: ".venv/clients").path]
            .map { URL(filePath: $0) }
            .first { FileManager.default.isExecutableFile(atPath: $0.appending(path: path).path) }
    }
}
