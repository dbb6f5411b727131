import Foundation
import Testing

@testable import S3Protocol

struct SigningKeyCacheTests {
    @Test("a cached key is used only for its own secret, day and region")
    func scope() {
        let cache = SigningKeyCache()
        let request = SignableRequest(method: "GET", host: "bucket.example", path: "/key")
        func signature(_ secret: String, _ region: String, day: Double, _ keys: SigningKeyCache) -> String? {
            let signer = RequestSigner(
                credentials: AWSCredentials(accessKeyID: "AK", secretAccessKey: secret), region: region, service: "s3",
                pathNormalization: .none, keys: keys
            )
            return signer.sign(request, payload: .empty, at: Date(timeIntervalSince1970: day * 86_400)).headers[
                .authorization]
        }
        for (secret, region, day) in [
            ("one", "us-east-1", 20_000.0), ("one", "us-east-1", 20_000.5), ("two", "us-east-1", 20_000.5),
            ("two", "us-east-1", 20_001), ("two", "eu-west-1", 20_001), ("one", "us-east-1", 20_000),
        ] {
            #expect(
                signature(secret, region, day: day, cache) == signature(secret, region, day: day, SigningKeyCache()))
        }
    }
}
