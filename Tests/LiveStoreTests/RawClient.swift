import Foundation
import HTTPTypes
import NIOCore
import PhotolalaTesting
import S3Protocol
import Transport

/// Sends signed requests unchanged, including ones that the store's client would not send.
struct RawClient: Sendable {
    struct Response: Sendable {
        let status: Int
        let headers: HTTPFields
        let text: String
    }

    let endpoint: String
    let bucket: String
    let transport: AsyncHTTPTransport

    /// - Parameters:
    ///   - path: The path below the bucket, percent-encoded.
    ///   - payload: The body hash in the signature; by default, the hash of the body.
    ///   - credentials: The credentials; `nil` sends the request unsigned.
    func send(
        _ method: HTTPRequest.Method, _ path: String, query: String = "", headers: HTTPFields = [:],
        body: String = "", payload: PayloadHash? = nil, as credentials: AWSCredentials?
    ) async throws -> Response {
        guard let port = URL(string: endpoint)?.port else { throw ConformanceFailure("no port in \(endpoint)") }
        let path = path.isEmpty ? "/\(bucket)" : "/\(bucket)/\(path)"
        var headers = headers
        if let credentials {
            let signer = RequestSigner(
                credentials: credentials, region: "us-east-1", service: "s3", pathNormalization: .none
            )
            let request = SignableRequest(
                method: method.rawValue, host: "127.0.0.1:\(port)", path: path, query: query, headers: headers
            )
            let signed = signer.sign(request, payload: payload ?? .of(Data(body.utf8)), at: Date())
            headers.append(contentsOf: signed.headers)
        }
        let response = try await transport.send(
            TransportRequest(
                method: method, url: endpoint + path + (query.isEmpty ? "" : "?\(query)"), headers: headers,
                body: body.isEmpty ? .none : .bytes(ByteBuffer(string: body))
            )
        )
        let bytes = try await response.collect(limit: 1 << 20)
        return Response(status: response.status, headers: response.headers, text: String(buffer: bytes))
    }
}
