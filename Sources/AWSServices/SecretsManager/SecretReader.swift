import Foundation
import HTTPTypes
import NIOCore
import S3Protocol
import Transport

/// Reads secrets from AWS Secrets Manager (`GetSecretValue`). The permission is `secretsmanager:GetSecretValue`.
package struct SecretReader: Sendable {
    /// The reason why a secret cannot be read.
    package enum Failure: Error, Equatable, Sendable {
        /// The name is not the ARN of a secret.
        case invalidARN
        case denied(String)
        case missing
        /// The secret is binary, or the response has no secret.
        case notText
        case unavailable(String)
    }

    private let endpoint: ServiceEndpoint
    private let secret: String
    private let region: String
    private let credentials: any CredentialSource
    private let transport: any HTTPTransport
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - secret: The ARN of the secret; the request goes to its region.
    ///   - endpoint: The URL of the service; AWS's own if `nil`.
    package init(
        secret: String, endpoint: String? = nil, credentials: any CredentialSource, transport: any HTTPTransport,
        now: @escaping @Sendable () -> Date
    ) throws(Failure) {
        let parts = secret.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 7, parts[0] == "arn", parts[2] == "secretsmanager", parts[5] == "secret",
            !parts[3].isEmpty, !parts[6].isEmpty, secret.utf8.count <= 2048,
            let endpoint = ServiceEndpoint(
                endpoint ?? ServiceEndpoint.aws("secretsmanager", region: String(parts[3])))
        else { throw .invalidARN }
        (self.endpoint, self.secret, region) = (endpoint, secret, String(parts[3]))
        (self.credentials, self.transport, self.now) = (credentials, transport, now)
    }

    /// The region in a secret's ARN; `nil` if it is none.
    package static func region(of secret: String) -> String? {
        let parts = secret.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count >= 7 && !parts[3].isEmpty ? String(parts[3]) : nil
    }

    /// The time limit of one request. Both together end before AWS Lambda's limit of ten seconds for a start, so that
    /// the reason is reported.
    private static let timeout = Duration.milliseconds(3500)

    /// Returns the secret's text. One request, repeated once if the service does not respond.
    package func text() async throws(Failure) -> String {
        do {
            return try await request()
        } catch .unavailable {
            return try await request()
        }
    }

    private func request() async throws(Failure) -> String {
        let response: CredentialResponse
        do throws(CredentialError) {
            response = try await CredentialResponse.of(
                signed(try await credentials.credentials()), over: transport, timeout: Self.timeout)
        } catch {
            switch error {
            case .refused(let words): throw .denied(words)
            case .unavailable(let words): throw .unavailable(words)
            }
        }
        guard response.status == 200 else { throw Self.failure(response) }
        struct Answer: Decodable { let SecretString: String? }
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.bytes.readableBytesView)),
            let text = answer.SecretString
        else { throw .notText }
        return text
    }

    private func signed(_ keys: AWSCredentials) -> TransportRequest {
        struct Call: Encodable { let SecretId: String }
        let body = (try? JSONEncoder().encode(Call(SecretId: secret))) ?? Data()
        let path = "\(endpoint.path)/"
        var headers: HTTPFields = [.contentType: "application/x-amz-json-1.1"]
        if let target = HTTPField.Name("X-Amz-Target") { headers[target] = "secretsmanager.GetSecretValue" }
        let signer = RequestSigner(
            credentials: keys, region: region, service: "secretsmanager", pathNormalization: .standard)
        let signable = SignableRequest(method: "POST", host: endpoint.host, path: path, headers: headers)
        headers.append(contentsOf: signer.sign(signable, payload: .of(body), at: now()).headers)
        return TransportRequest(
            method: .post, url: "\(endpoint.scheme)://\(endpoint.host)\(path)", headers: headers,
            body: .bytes(ByteBuffer(bytes: body)))
    }

    /// Reports status and error name only: the message can contain parts of the request.
    private static func failure(_ response: CredentialResponse) -> Failure {
        struct Refusal: Decodable { let __type: String? }
        let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(response.bytes.readableBytesView))
        let code = refusal?.__type?.split(separator: "#").last.map(String.init) ?? "HTTP \(response.status)"
        if code == "ResourceNotFoundException" { return .missing }
        if response.status >= 500 || response.status == 429 || code == "ThrottlingException" {
            return .unavailable(code)
        }
        return .denied(code)
    }
}
