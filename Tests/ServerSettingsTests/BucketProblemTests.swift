import AWSServices
import Testing

@testable import photolala_server

/// Problems with a bucket at the start, as messages for operators.
@Suite struct BucketProblemTests {
    private func text(_ fault: BucketCheck.Fault) throws -> String {
        StartProblem(fault, try SettingsFixture.read(SettingsFixture.bucket, flags: [.environment: "dev"])).description
    }

    @Test(
        "every problem with a bucket is reported with its remedy",
        arguments: [
            (.noBucket, "there is no bucket photolala-dev at http://127.0.0.1:8333: make it, or correct s3.bucket"),
            (.wrongRegion(bucketIsIn: "eu-west-1"), "is in the region eu-west-1: set s3.region to it"),
            (.wrongRegion(bucketIsIn: nil), "is in another region than us-east-1"),
            (.clockSkew(seconds: -7200), "the clock of this machine is 7200 seconds behind that of the bucket"),
            (.clockSkew(seconds: nil), "the clock of this machine differs too much"),
            (.credentialsRejected("SignatureDoesNotMatch"), "does not take the server's keys (SignatureDoesNotMatch)"),
            (.listDenied, "may not list the bucket photolala-dev"),
            (.denied("AccessDenied (HTTP 403)"), "s3:GetObject, s3:PutObject and s3:DeleteObject"),
            (.ignoresConditions, "ignores the conditions of writes, and accounts would be lost on it"),
            (.acceptsStaleSignatures, "takes requests that were signed half an hour ago"),
            (.unavailable("HTTP 503"), "cannot be used: HTTP 503"),
        ] as [(BucketCheck.Fault, String)]
    )
    func faults(fault: BucketCheck.Fault, words: String) throws {
        let text = try text(fault)
        #expect(text.contains(words), "\(text)")
        #expect(text.contains("bucket photolala-dev"), "the problem names the bucket")
    }
}
