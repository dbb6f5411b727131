import Crypto
import CryptoExtras
import Foundation
import Hummingbird
import Logging
import NIOCore

/// The least that any server with this HTTP library does for a sign-in: it reads a JSON body, verifies the RS256
/// signature of its ID token, and signs an ES256 token. It stores nothing and checks no claims.
///
/// Usage: `benchmark-floor PORT`, with the modulus and the exponent of the provider's key, in base64url, in `MODULUS` and
/// `EXPONENT`.
@main
struct FloorServer {
    private struct Request: Decodable {
        let idToken: String
    }

    private struct Claims: Codable {
        let iss: String
        let sub: String
        let exp: Int
    }

    private struct Response: Encodable {
        let accessToken: String
    }

    private let providerKey: _RSA.Signing.PublicKey
    private let signingKey = P256.Signing.PrivateKey()

    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard CommandLine.arguments.count == 2, let port = Int(CommandLine.arguments[1]),
            let modulus = decode(environment["MODULUS"] ?? ""), let exponent = decode(environment["EXPONENT"] ?? "")
        else {
            FileHandle.standardError.write(Data("usage: benchmark-floor PORT, with MODULUS and EXPONENT\n".utf8))
            exit(64)
        }
        let floor = FloorServer(providerKey: try _RSA.Signing.PublicKey(n: modulus, e: exponent))
        let router = Router()
        router.post("/auth/signin") { request, _ in
            let body = try await request.body.collect(upTo: 128 << 10)
            let accessToken = try floor.signIn(Data(buffer: body))
            let response = try JSONEncoder().encode(Response(accessToken: accessToken))
            return Hummingbird.Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: response)))
        }
        var logger = Logger(label: "benchmark-floor")
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)
        try await application.runService()
    }

    private func signIn(_ body: Data) throws -> String {
        let token = try JSONDecoder().decode(Request.self, from: body).idToken
        let segments = token.split(separator: ".", omittingEmptySubsequences: false)
        guard segments.count == 3, let payload = Self.decode(segments[1]), let signature = Self.decode(segments[2]),
            providerKey.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature),
                for: Data(token.utf8.prefix(segments[0].utf8.count + 1 + segments[1].utf8.count)),
                padding: .insecurePKCS1v1_5)
        else { throw HTTPError(.unauthorized) }
        let claims = try JSONDecoder().decode(Claims.self, from: payload)
        let input =
            "\(Self.encode(Data(#"{"alg":"ES256","typ":"JWT"}"#.utf8))).\(Self.encode(try JSONEncoder().encode(claims)))"
        return "\(input).\(Self.encode(try signingKey.signature(for: Data(input.utf8)).rawRepresentation))"
    }

    private static func decode(_ text: some StringProtocol) -> Data? {
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }

    private static func encode(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
