import Foundation
import NIOCore
import S3Protocol
import Transport

/// A request to a credentials endpoint, and its response.
struct CredentialResponse {
    let status: Int
    let bytes: ByteBuffer

    /// Sends a request.
    static func of(
        _ request: TransportRequest, over transport: any HTTPTransport, timeout: Duration = .seconds(5)
    ) async throws(CredentialError) -> CredentialResponse {
        var request = request
        request.timeout = timeout
        do {
            let response = try await transport.send(request)
            return CredentialResponse(status: response.status, bytes: try await response.collect(limit: 64 * 1024))
        } catch {
            throw .unavailable("\(error)")
        }
    }

    /// Returns the body of a response with status 200; 4xx is a refusal, any other status may be transient.
    func body() throws(CredentialError) -> ByteBuffer {
        guard status != 200 else { return bytes }
        throw (400..<500).contains(status) && status != 429
            ? .refused("HTTP \(status)") : .unavailable("HTTP \(status)")
    }

    /// Decodes the credentials format of container and instance endpoints.
    func keys() throws(CredentialError) -> ExpiringCredentials {
        let body = try body()
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(body.readableBytesView)),
            document.Code == nil || document.Code == "Success", let expiresAt = S3Date.xml(document.Expiration)
        else { throw .unavailable("response without keys") }
        let keys = AWSCredentials(
            accessKeyID: document.AccessKeyId, secretAccessKey: document.SecretAccessKey, sessionToken: document.Token
        )
        return ExpiringCredentials(keys, expiresAt: expiresAt)
    }

    private struct Document: Decodable {
        let Code: String?
        let AccessKeyId: String
        let SecretAccessKey: String
        let Token: String
        let Expiration: String
    }
}
