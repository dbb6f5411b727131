import Foundation
import HTTPTypes
import NIOCore
import PhotolalaTesting
import S3Protocol
import Transport

extension SeaweedFS {
    /// Requests a session with any policy or without one, which the service's issuer cannot do.
    func assumeRole(policy: String?) async throws -> AWSCredentials {
        var form = "Action=AssumeRole&RoleArn=\(AWSPercentEncoding.encode(role))"
        form += "&RoleSessionName=wide&Version=2011-06-15"
        if let policy { form += "&Policy=\(AWSPercentEncoding.encode(policy))" }
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        let signer = RequestSigner(
            credentials: service, region: "us-east-1", service: "sts", pathNormalization: .standard
        )
        let host = String(endpoint.dropFirst("http://".count))
        let request = SignableRequest(method: "POST", host: host, path: "/", headers: headers)
        headers.append(contentsOf: signer.sign(request, payload: .of(Data(form.utf8)), at: Date()).headers)
        let response = try await transport.send(
            TransportRequest(
                method: .post, url: "\(endpoint)/", headers: headers, body: .bytes(ByteBuffer(string: form))
            )
        )
        let text = String(buffer: try await response.collect(limit: 1 << 20))
        func value(_ name: String) throws -> String {
            guard let value = text.split(separator: "<\(name)>").dropFirst().first?.split(separator: "<").first else {
                throw ConformanceFailure("no \(name) in an answer of \(response.status)")
            }
            return String(value)
        }
        return AWSCredentials(
            accessKeyID: try value("AccessKeyId"), secretAccessKey: try value("SecretAccessKey"),
            sessionToken: try value("SessionToken")
        )
    }
}
