import Foundation
import HTTPTypes
import PhotolalaAPI
import S3Protocol
import StorageAccess

/// Presigned URLs for S3.
package struct S3ObjectURLSigner: ObjectURLSigner {
    package init() {}

    package func sign(
        _ requests: [PresignedRequest], with credentials: StorageCredentials, validity: PresignedURLValidity
    ) throws(CredentialIssuerError) -> PresignedURLs {
        guard
            let settings = S3Settings(
                endpoint: credentials.endpoint, region: credentials.region, bucket: credentials.bucket)
        else { throw .refused("invalid store endpoint \(credentials.endpoint)") }
        let signer = RequestSigner(
            credentials: AWSCredentials(credentials), region: credentials.region, service: "s3",
            pathNormalization: .none)
        let urls = requests.map { request in
            let address = settings.address(of: request.key)
            let query = signer.presignedQuery(
                SignableRequest(
                    method: request.method.rawValue, host: address.host, path: address.path,
                    query: Self.encoded(request.query), headers: Self.fields(request.headers)),
                expires: validity.seconds, at: validity.from)
            return "\(address.url)?\(query)"
        }
        let bucket = settings.address(of: nil)
        return PresignedURLs(urls: urls, origin: String(bucket.url.dropLast(bucket.path.count)))
    }

    private static func encoded(_ query: [String: String]) -> String {
        query.sorted { $0.key < $1.key }
            .map { "\(AWSPercentEncoding.encode($0.key))=\(AWSPercentEncoding.encode($0.value))" }
            .joined(separator: "&")
    }

    private static func fields(_ headers: [String: String]) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }
}
