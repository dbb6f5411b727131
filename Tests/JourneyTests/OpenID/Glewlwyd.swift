import Crypto
import Foundation
import HTTPTypes
import PhotolalaTesting
import Synchronization
import Transport

/// Glewlwyd with its own database, set up through its administrator's API.
final class Glewlwyd: OpenIDServer {
    let issuer: String
    let algorithm: String? = "ES256"
    let clientSecret: String? = nil
    let transport: any HTTPTransport
    private let address: String
    private let process: ChildProcess
    /// The cookies of signed-in people.
    private let sessions = Mutex<[String: String]>([:])

    /// The folder where it is unpacked; `nil` if it is not installed.
    static var root: URL? {
        InstalledClients.folder(with: "glewlwyd/usr/bin/glewlwyd")?.appending(path: "glewlwyd")
    }

    init(in folder: URL, transport: any HTTPTransport) async throws {
        guard let root = Self.root else { throw ConformanceFailure("run scripts/install-clients") }
        let port = try freePort()
        address = "http://127.0.0.1:\(port)"
        issuer = "\(address)/api/oidc"
        self.transport = transport
        let own = folder.appending(path: "glewlwyd")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: root.appending(path: "new.db"), to: own.appending(path: "glewlwyd.db"))
        let settings = own.appending(path: "glewlwyd.conf")
        try Self.settings(root, own, port).write(to: settings, atomically: true, encoding: .utf8)
        process = try ChildProcess(
            root.appending(path: "usr/bin/glewlwyd"), ["--config-file", settings.path],
            environment: ["LD_LIBRARY_PATH": Self.libraries(root)], output: .discarded, errors: .discarded)
        try await waitUntilReady { try await signIn("admin", password: "password") != nil }
        try await administrate(.post, "mod/plugin/", plugin())
        for client in ["photolala", "another-app"] {
            try await administrate(
                .post, "client/",
                """
                {"client_id": "\(client)", "name": "\(client)", "redirect_uri": ["http://127.0.0.1:1/callback"], \
                "authorization_type": ["code"], "confidential": false, "enabled": true}
                """)
        }
    }

    func stop() { process.kill() }

    /// Replaces the key; tokens signed with the previous key are unchanged.
    func rotateKey() async throws {
        try await administrate(.put, "mod/plugin/oidc", plugin())
        try await administrate(.put, "mod/plugin/oidc/reset")
    }

    var tokenURL: String { "\(issuer)/token" }

    func authorize(_ subject: String, client: String, query: String) async throws -> String? {
        let cookie = try await session(of: subject)
        let grant = #"{"scope": "openid"}"#
        let granted = try await send(
            .put, "\(address)/api/auth/grant/\(client)", grant, type: "application/json", cookie: cookie)
        guard granted.status == 200 else { throw ConformanceFailure("no consent: \(granted.status)") }
        return try await send(.get, "\(issuer)/auth?\(query)&g_continue", type: "text/plain", cookie: cookie)
            .headers[.location]
    }

    /// Creates an account on first use.
    private func session(of subject: String) async throws -> String {
        if let known = sessions.withLock({ $0[subject] }) { return known }
        let password = "a password of \(subject)"
        try await administrate(
            .post, "user/",
            #"{"username": "\#(subject)", "password": "\#(password)", "scope": ["openid"], "enabled": true}"#)
        guard let cookie = try await signIn(subject, password: password) else {
            throw ConformanceFailure("\(subject) cannot sign in")
        }
        return cookie
    }

    private func signIn(_ name: String, password: String) async throws -> String? {
        let response = try await send(
            .post, "\(address)/api/auth/", #"{"username": "\#(name)", "password": "\#(password)"}"#,
            type: "application/json")
        guard response.status == 200, let cookie = response.headers[.setCookie]?.prefix(while: { $0 != ";" }) else {
            return nil
        }
        sessions.withLock { $0[name] = String(cookie) }
        return String(cookie)
    }

    private func administrate(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async throws {
        let cookie = sessions.withLock { $0["admin"] }
        let response = try await send(method, "\(address)/api/\(path)", body, type: "application/json", cookie: cookie)
        guard response.status == 200 else {
            throw ConformanceFailure("\(path): \(response.status) \(String(decoding: response.body, as: UTF8.self))")
        }
    }
}

extension Glewlwyd {
    /// Returns the OpenID Connect plugin, with a new key.
    private func plugin() throws -> String {
        let key = Self.makeKey()
        let flows = ["code": true, "id-token": true, "token": false, "none": false, "password": false, "client": false]
        var parameters: [String: Any] = [
            "iss": issuer, "jwt-type": "ecdsa", "jwt-key-size": "256", "key": key.pemRepresentation,
            "cert": key.publicKey.pemRepresentation, "access-token-duration": 3600, "refresh-token-duration": 86_400,
            "code-duration": 600, "refresh-token-rolling": true, "allow-non-oidc": false, "subject-type": "public",
            "pkce-allowed": true, "pkce-required": true, "pkce-method-plain-allowed": false,
        ]
        for (flow, isOn) in flows { parameters["auth-type-\(flow)-enabled"] = isOn }
        let plugin: [String: Any] = [
            "module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "parameters": parameters,
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: plugin), as: UTF8.self)
    }

    /// Creates a key whose coordinates begin with no zero byte: Glewlwyd omits such bytes, which RFC 7518 section 6.2.1.2
    /// forbids, so every hundredth key would be refused.
    private static func makeKey() -> P256.Signing.PrivateKey {
        while true {
            let key = P256.Signing.PrivateKey()
            let point = key.publicKey.rawRepresentation
            if point[point.startIndex] != 0, point[point.startIndex + 32] != 0 { return key }
        }
    }

    private static func settings(_ root: URL, _ folder: URL, _ port: Int) -> String {
        let modules = root.appending(path: "usr/lib/glewlwyd").path
        return """
            port=\(port)
            bind_address="127.0.0.1"
            external_url="http://127.0.0.1:\(port)"
            login_url="login.html"
            api_prefix="api"
            log_mode="console"
            log_level="ERROR"
            cookie_domain="127.0.0.1"
            cookie_secure=0
            user_module_path="\(modules)/user"
            user_middleware_module_path="\(modules)/user_middleware"
            client_module_path="\(modules)/client"
            user_auth_scheme_module_path="\(modules)/scheme"
            plugin_module_path="\(modules)/plugin"
            hash_algorithm="SHA512"
            database = { type = "sqlite3" path = "\(folder.appending(path: "glewlwyd.db").path)" };
            """
    }

    private static func libraries(_ root: URL) throws -> String {
        let folder = root.appending(path: "usr/lib")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return names.filter { $0.hasSuffix("-linux-gnu") }.map { folder.appending(path: $0).path }
            .joined(separator: ":")
    }
}
