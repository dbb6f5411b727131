import Foundation
import HTTPTypes
import NIOCore
import PhotolalaTesting
import SigV4
import Transport

extension HTTPField.Name {
    static let expectedOwner = HTTPField.Name("x-amz-expected-bucket-owner") ?? .date
}

extension SeaweedFS {
    /// Sends a signed request as it stands, which the store's own client would not.
    /// - Parameter payload: what the signature says of the body; the truth by default.
    func send(
        _ method: HTTPRequest.Method, _ key: String, headers: HTTPFields = [:], body: String = "",
        payload: PayloadHash? = nil, as credentials: AWSCredentials? = nil
    ) async throws -> TransportResponse {
        guard let host = URL(string: endpoint).flatMap({ url in url.port.map { "127.0.0.1:\($0)" } }) else {
            throw ConformanceFailure("no port in \(endpoint)")
        }
        let path = "/\(bucket)/\(key)"
        let signer = RequestSigner(
            credentials: credentials ?? admin, region: "us-east-1", service: "s3", pathNormalization: .none
        )
        let request = SignableRequest(method: method.rawValue, host: host, path: path, headers: headers)
        let signed = signer.sign(request, payload: payload ?? .of(Data(body.utf8)), at: Date())
        let answer = try await transport.send(
            TransportRequest(
                method: method, url: endpoint + path, headers: HTTPFields(Array(headers) + Array(signed.headers)),
                body: body.isEmpty ? .none : .bytes(ByteBuffer(string: body))
            )
        )
        _ = try await answer.collect(limit: 1 << 20)
        return answer
    }
}
