import Foundation
import HTTPTypes
import PhotolalaTesting
import Secrets
import Testing
import Transport

/// A device of the local network with a server in pairing mode.
@Suite struct PairingJourneyTests {
    // On Linux all of 127.0.0.0/8 is this machine.
    #if os(Linux)
        private static let host = "127.0.0.2"
    #else
        private static let host = "127.0.0.1"
    #endif

    /// A server in pairing mode.
    private struct Server {
        let process: ChildProcess
        let printed: String
        /// The code below the QR code.
        let code: String

        init(_ data: URL, ports: (api: Int, storage: Int), output: URL) async throws {
            let words = [
                "serve", "--environment", "dev", "--data", data.path, "--pair", "--listen", "\(host):\(ports.api)",
                "--s3-listen", "\(host):\(ports.storage)",
            ]
            let process = try ChildProcess(
                Products.executable("photolala-server"), words, environment: ["PHOTOLALA_LOG_LEVEL": "error"],
                output: .file(output), errors: .inherited)
            func text() -> String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
            func code() -> Substring? { text().split(separator: "\n").last { $0.hasPrefix("photolala-pair://") } }
            do {
                try await waitUntil("the server prints its code") {
                    guard process.isRunning else { throw ConformanceFailure("the server ended at its start") }
                    return code() != nil
                }
            } catch {
                process.kill()
                throw error
            }
            (self.process, printed, self.code) = (process, text(), String(code() ?? ""))
        }

        func stop() -> Int32 {
            process.send(SIGTERM)
            return process.waitUntilExit()
        }
    }

    /// Replaces a value of the code by another one of equal length.
    private static func changing(_ name: String, of code: String) -> String {
        guard let start = code.range(of: "\(name)=")?.upperBound else { return code }
        return code.replacingCharacters(in: start...start, with: code[start] == "B" ? "C" : "B")
    }

    private static func status(_ path: String, _ code: String, secret: String?) async throws -> Int {
        let parts = code.dropFirst("photolala-pair://".count).components(separatedBy: "/?key=")
        let hash = try #require(Base64URL.decode(parts[1].prefix(43)))
        let transport = AsyncHTTPTransport(pins: PublicKeyPins(selfSigned: Array(hash)))
        var request = TransportRequest(method: .get, url: "https://\(parts[0])\(path)")
        if let secret { request.headers[try #require(HTTPField.Name("Photolala-Pairing"))] = secret }
        let response: Result<TransportResponse, TransportError>
        do throws(TransportError) {
            response = .success(try await transport.send(request))
        } catch {
            response = .failure(error)
        }
        try await transport.shutdown()
        return try response.get().status
    }

    @Test("a paired device signs in and backs up; without the key or the secret nothing is answered")
    func pairing() async throws {
        try await withTemporaryFolder { folder in
            let (data, photos) = (folder.appendingPathComponent("data"), folder.appendingPathComponent("photos"))
            try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
            try PhotoFolder.make(3, in: photos)
            let ports = (api: try freePort(), storage: try freePort())
            let server = try await Server(data, ports: ports, output: folder.appendingPathComponent("output"))
            #expect(server.printed.contains("WARNING: every device in the network of \(Self.host) can reach"))
            let device = CommandLineDevice(profile: folder.appendingPathComponent("phone"), server: server.code)
            let signUp = try await device.run("signup", "--provider", "apple", "--dev-user", "bob")
            #expect(signUp.status == 0, "\(signUp.errors)")
            let backup = try await device.run("backup", photos.path, "--json")
            #expect(backup.status == 0, "\(backup.errors) \(backup.text)")
            let uploaded = try backup.folder("uploadedFiles")
            #expect(uploaded == 3, "\(backup.text)")

            for (name, code) in [("key", "server_not_trusted"), ("secret", "not_allowed")] {
                let stranger = CommandLineDevice(
                    profile: folder.appendingPathComponent("stranger"),
                    server: Self.changing(name, of: server.code))
                let run = try await stranger.run("signin", "--provider", "apple", "--dev-user", "bob", "--json")
                let error = try run.json()["error"] as? [String: Any]
                #expect(error?["code"] as? String == code, "\(run.text)")
            }
            let secret = String(server.code.suffix(22))
            for path in ["/", "/health/ready", "/dev/providers/apple/keys", "/library", "/unknown"] {
                for wrong in [nil, "", String(secret.dropLast()), secret + "A"] {
                    let status = try await Self.status(path, server.code, secret: wrong)
                    #expect(status == 403, "\(path) with \(wrong ?? "no secret")")
                }
            }
            let ready = try await Self.status("/health/ready", server.code, secret: secret)
            #expect(ready == 200)
            #expect(server.stop() == 0)

            let next = try await Server(data, ports: ports, output: folder.appendingPathComponent("next"))
            #expect(next.code.dropLast(22) == server.code.dropLast(22) && next.code != server.code)
            let former = try await device.run("whoami", "--json")
            let refused = try former.json()["error"] as? [String: Any]
            #expect(refused?["code"] as? String == "not_allowed", "\(former.text)")
            let paired = CommandLineDevice(profile: device.profile, server: next.code)
            let again = try await paired.run("whoami")
            #expect(again.status == 0, "\(again.errors)")
            #expect(next.stop() == 0)
        }
    }
}
