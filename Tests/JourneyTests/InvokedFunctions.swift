import Foundation
import HTTPTypes
import NIOCore
import PhotolalaAPI
import PhotolalaClient
import PhotolalaDirectFunctions
import PhotolalaTesting
import Secrets
import Synchronization
import Transport

/// Environments behind the `Invoke` call of AWS Lambda, and an app that calls them with embedded credentials.
final class InvokedFunctions: ClosableTransport {
    private let environments: [String: LambdaEnvironment]
    private let server: String
    private let other: any HTTPTransport
    private let count = Mutex(0)

    private static let lambda = "https://lambda.eu-central-1.amazonaws.com/2015-03-31/functions/"

    init(environments: [String: LambdaEnvironment], server: String, other: any HTTPTransport) {
        (self.environments, self.server, self.other) = (environments, server, other)
    }

    /// The number of requests that were no invocations.
    var requestsToServer: Int { count.withLock { $0 } }

    func session(in folder: URL) throws -> PhotolalaSession {
        let sealed = try EmbeddedCredentials.seal(
            .init(accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "secret", region: "eu-central-1"), for: .dev,
            randomness: .system)
        let profile = try ProfileDirectory(folder.appending(path: "app"))
        let network = PhotolalaNetwork(stallTimeout: .seconds(60), pins: nil, now: { Date() }) { _ in self }
        return PhotolalaSession(
            server: try ServerAddress(server), profile: profile, storage: try profile.fileSecretStorage(),
            network: network, functions: try DirectFunctions(.dev, credentials: EmbeddedCredentials([sealed])))
    }

    func shutdown() async throws(TransportError) {}

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.url.hasPrefix(Self.lambda) else {
            count.withLock { $0 += 1 }
            return try await other.send(request)
        }
        let name = request.url.dropFirst(Self.lambda.count).prefix { $0 != "/" }
        guard let environment = environments[String(name)], case .bytes(let event) = request.body else {
            throw .notSent("no function \(name)")
        }
        do {
            let bytes = ByteBuffer(bytes: try await environment.answer(String(buffer: event)))
            var headers: HTTPFields = [:]
            if String(buffer: bytes).contains(#""errorType""#), let field = HTTPField.Name("X-Amz-Function-Error") {
                headers[field] = "Unhandled"
            }
            return TransportResponse(
                status: 200, headers: headers,
                body: AsyncThrowingStream<ByteBuffer, any Error> {
                    $0.yield(bytes)
                    $0.finish()
                })
        } catch {
            throw .connectionLost("\(error)")
        }
    }
}
