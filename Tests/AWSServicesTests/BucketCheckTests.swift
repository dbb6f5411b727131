import AWSServices
import Foundation
import ObjectStorage
import S3Protocol
import Secrets
import Testing

struct BucketCheckTests {
    private static let listed = FakeTransport.Reply.response(
        200, ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
        "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"
    )
    private static let late = FakeTransport.Reply.error(403, "RequestTimeTooSkewed")
    private static let unlocked = FakeTransport.Reply.error(404, "ObjectLockConfigurationNotFoundError")
    private static let refused = FakeTransport.Reply.error(412, "PreconditionFailed")

    private static func locked(_ mode: String) -> FakeTransport.Reply {
        .response(
            200, [:],
            """
            <ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention>\
            <Mode>\(mode)</Mode><Days>1</Days></DefaultRetention></Rule></ObjectLockConfiguration>
            """)
    }

    private func check(_ replies: [FakeTransport.Reply]) async throws -> (fault: BucketCheck.Fault?, events: [String]) {
        let transport = FakeTransport(replies)
        var settings = try #require(
            Self.awsSettings("eu-central-1", "photolala-dev", owner: "123456789012")
        )
        settings.attempts = 1
        let check = BucketCheck(
            settings: settings,
            credentials: StaticCredentials(AWSCredentials(accessKeyID: "AKID", secretAccessKey: "secret")),
            transport: transport, pause: Backoff(randomness: Randomness { [UInt8](repeating: 0, count: $0) }) { _ in },
            now: { Date(timeIntervalSince1970: 784_112_777) }
        )
        let probe = try key("service/check/1")
        do {
            try await check.run(probe: probe)
            return (nil, transport.requests.map(\.method))
        } catch {
            return (error, transport.requests.map(\.method))
        }
    }

    @Test("a bucket that lists and honours conditions passes the check, and nothing is left in it")
    func good() async throws {
        let (fault, events) = try await check([
            Self.listed, Self.late, Self.unlocked, .stored, Self.refused, Self.refused, Self.refused, .response(204),
        ])
        #expect(fault == nil)
        #expect(events == ["GET", "GET", "GET", "PUT", "PUT", "PUT", "DELETE", "DELETE"])
    }

    @Test(
        "a bucket without retention in compliance mode passes, as does one whose configuration cannot be read",
        arguments: [
            locked("GOVERNANCE"), .error(403, "AccessDenied"), .error(501, "NotImplemented"),
            .error(400, "InvalidRequest"),
            .response(
                200, [:],
                "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>"),
        ])
    private func retention(reply: FakeTransport.Reply) async throws {
        let (fault, _) = try await check([
            Self.listed, Self.late, reply, .stored, Self.refused, Self.refused, Self.refused, .response(204),
        ])
        #expect(fault == nil)
    }

    @Test(
        "the check reports the problem of the bucket",
        arguments: [
            ([.error(404, "NoSuchBucket")], .noBucket),
            (
                [.error(301, "PermanentRedirect", ["x-amz-bucket-region": "eu-west-1"])],
                .wrongRegion(bucketIsIn: "eu-west-1")
            ),
            (
                [
                    .response(
                        400, [:],
                        "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>")
                ], .wrongRegion(bucketIsIn: "eu-west-1")
            ),
            (
                [.error(403, "RequestTimeTooSkewed", ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"])],
                .clockSkew(seconds: 1000)
            ),
            ([.error(403, "SignatureDoesNotMatch")], .credentialsRejected("SignatureDoesNotMatch")),
            ([.error(403, "InvalidAccessKeyId")], .credentialsRejected("InvalidAccessKeyId (HTTP 403)")),
            ([.error(403, "AccessDenied"), .stored, .response(204)], .listDenied),
            ([.error(403, "AccessDenied"), .error(403, "AccessDenied")], .denied("AccessDenied (HTTP 403)")),
            ([.notSent], .unavailable("refused")),
            ([listed, listed], .acceptsStaleSignatures),
            ([.response(200, [:], "<ListBucketResult/>")], .acceptsStaleSignatures),
            ([listed, .error(503, "SlowDown")], .unavailable("SlowDown (HTTP 503)")),
            ([listed, late, .error(503, "SlowDown")], .unavailable("SlowDown (HTTP 503)")),
            ([listed, late, locked("COMPLIANCE")], .retainsObjects),
            (
                [listed, late, unlocked, .error(403, "AccessDenied"), .response(204)],
                .denied("AccessDenied (HTTP 403)")
            ),
            ([listed, late, unlocked, .stored, .stored, .response(204)], .ignoresConditions),
            ([listed, late, unlocked, .stored, refused, .stored, .response(204)], .ignoresConditions),
            ([listed, late, unlocked, .stored, refused, refused, .response(204), .response(204)], .ignoresConditions),
            (
                [listed, late, unlocked, .stored, refused, .error(501, "NotImplemented"), .response(204)],
                .denied("NotImplemented (HTTP 501)")
            ),
        ] as [([FakeTransport.Reply], BucketCheck.Fault)]
    )
    func faults(replies: [FakeTransport.Reply], fault: BucketCheck.Fault) async throws {
        let (found, events) = try await check(replies)
        #expect(found == fault)
        #expect(events.count == replies.count, "the check deletes what it wrote")
    }

    private static func awsSettings(_ region: String, _ bucket: String, owner: String) -> S3Settings? {
        S3Settings(
            endpoint: ServiceEndpoint.aws("s3", region: region), region: region, bucket: bucket,
            expectedBucketOwner: owner
        )
    }

    @Test("a bucket on AWS uses virtual-host addressing unless its name has a dot, and its owner has 12 digits")
    func awsBuckets() throws {
        #expect(Self.awsSettings("eu-west-1", "photolala", owner: "123456789012")?.addressing == .virtualHost)
        let settings = try #require(Self.awsSettings("cn-north-1", "my.bucket", owner: "123456789012"))
        #expect(settings.addressing == .path && settings.expectedBucketOwner == "123456789012")
        #expect(Self.awsSettings("eu-west-1", "photolala", owner: "12345") == nil)
        #expect(Self.awsSettings("eu-west-1", "photolala", owner: "12345678901a") == nil)
    }

    @Test("AWS endpoints are recognised by their domain suffix")
    func awsAddresses() {
        func isAWS(_ address: String) -> Bool? { ServiceEndpoint(address)?.isAWS }
        #expect(isAWS("https://bucket.vpce-1a.s3.eu-west-1.vpce.amazonaws.com:8443") == true)
        for region in ["eu-west-1", "cn-north-1", "eusc-de-east-1"] {
            #expect(isAWS(ServiceEndpoint.aws("s3", region: region)) == true)
        }
        #expect(ServiceEndpoint.aws("sts", region: "eusc-de-east-1") == "https://sts.eusc-de-east-1.amazonaws.eu")
        #expect(isAWS("https://s3.amazonaws.com.example.org") == false)
        #expect(isAWS("https://example.org/.amazonaws.com") == false)
    }
}
