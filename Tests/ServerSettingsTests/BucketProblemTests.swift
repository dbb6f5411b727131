import AWSServices
import Testing

@testable import ServiceWiring

/// Problems with a bucket at the start, as messages for operators.
@Suite struct BucketProblemTests {
    private func text(_ fault: BucketCheck.Fault) throws -> String {
        StartProblem(fault, try SettingsFixture.read(SettingsFixture.bucket, flags: [.environment: "dev"])).description
    }

    @Test(
        "every problem with a bucket is reported with its remedy",
        arguments: [
            (.noBucket, "the bucket photolala-dev at http://127.0.0.1:8333 does not exist. Create it"),
            (.wrongRegion(bucketIsIn: "eu-west-1"), "is in the region eu-west-1. Set s3.region to it"),
            (.wrongRegion(bucketIsIn: nil), "is not in the region us-east-1"),
            (.clockSkew(seconds: -7200), "the clock of this machine is 7200 seconds behind that of the bucket"),
            (.clockSkew(seconds: nil), "the clock of this machine differs too much"),
            (
                .credentialsRejected("SignatureDoesNotMatch"),
                "rejected the server's credentials (SignatureDoesNotMatch)"
            ),
            (.listDenied, "cannot list the bucket photolala-dev"),
            (.denied("AccessDenied (HTTP 403)"), "s3:GetObject, s3:PutObject and s3:DeleteObject"),
            (.ignoresConditions, "ignores conditional writes, so accounts could be lost"),
            (.acceptsStaleSignatures, "accepts requests signed 30 minutes ago"),
            (.retainsObjects, "Object Lock in compliance mode, so deleted accounts could not be erased"),
            (.unavailable("HTTP 503"), "is not usable: HTTP 503"),
        ] as [(BucketCheck.Fault, String)]
    )
    func faults(fault: BucketCheck.Fault, words: String) throws {
        let text = try text(fault)
        #expect(text.contains(words), "\(text)")
        #expect(text.contains("bucket photolala-dev"), "the problem names the bucket")
    }
}
