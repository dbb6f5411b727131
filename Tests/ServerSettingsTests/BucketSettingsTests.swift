import Foundation
import Testing

@testable import ServiceWiring

/// The settings of a store on S3: required values, values for the other kind of store, and restrictions in `prod`.
@Suite struct BucketSettingsTests {
    private func read(_ more: [String: String] = [:], environment: String = "dev") throws -> Settings {
        try SettingsFixture.read(variables(more), flags: [.environment: environment])
    }

    private func problems(_ more: [String: String] = [:], environment: String = "dev") throws -> [String] {
        try SettingsFixture.problems(variables(more), flags: [.environment: environment])
    }

    /// An empty value removes a variable.
    private func variables(_ more: [String: String]) -> [String: String] {
        SettingsFixture.bucket.merging(more) { _, new in new }
    }

    @Test("another engine than AWS uses path addressing and the same endpoint for its token service")
    func engine() throws {
        let bucket = try #require(try read(["PHOTOLALA_S3_INTERNAL_ENDPOINT": "http://10.0.0.7:8333"]).store.bucket)
        #expect(bucket.name == "photolala-dev" && bucket.region == "us-east-1")
        #expect(bucket.endpoint == "http://127.0.0.1:8333")
        #expect(bucket.internalEndpoint == "http://10.0.0.7:8333" && bucket.tokenService == "http://10.0.0.7:8333")
        #expect(bucket.connection?.addressing == .path)
        #expect(bucket.keys == nil)
        #expect(try read().countUsageEvery == .seconds(86_400), "each count costs requests")
    }

    @Test("on AWS the region determines the endpoints")
    func aws() throws {
        let bucket = try #require(
            try read([
                "PHOTOLALA_S3_ENDPOINT": "", "PHOTOLALA_S3_REGION": "eu-central-1",
                "PHOTOLALA_S3_BUCKET": "bobs-photos",
                "PHOTOLALA_S3_EXPECTED_BUCKET_OWNER": "123456789012",
            ]).store.bucket)
        #expect(bucket.endpoint == "https://s3.eu-central-1.amazonaws.com")
        #expect(bucket.tokenService == "https://sts.eu-central-1.amazonaws.com")
        #expect(bucket.connection?.addressing == .virtualHost)
        #expect(bucket.connection?.expectedBucketOwner == "123456789012")
    }

    @Test("path or host addressing can be selected")
    func pathStyle() throws {
        #expect(try read(["PHOTOLALA_S3_PATH_STYLE": "no"]).store.bucket?.connection?.addressing == .virtualHost)
    }

    @Test("a setting for the other kind of store is reported")
    func useless() throws {
        #expect(
            try problems([
                "PHOTOLALA_DATA": "/x", "PHOTOLALA_S3_LISTEN": "127.0.0.1:9", "PHOTOLALA_S3_CORS_ORIGINS": "https://a",
            ]) == [
                "data: not applicable with store s3", "s3.listen: not applicable with store s3",
                "s3.corsOrigins: not applicable with store s3",
            ]
        )
        let folder = try SettingsFixture.problems(
            [
                "PHOTOLALA_S3_INTERNAL_ENDPOINT": "http://a.example", "PHOTOLALA_S3_PATH_STYLE": "true",
                "PHOTOLALA_S3_EXPECTED_BUCKET_OWNER": "1", "PHOTOLALA_S3_ACCESS_KEY_ID": "a",
                "PHOTOLALA_S3_SECRET_ACCESS_KEY": "b", "PHOTOLALA_STS_ROLE_ARN": "c",
                "PHOTOLALA_STS_ENDPOINT": "http://b.example", "PHOTOLALA_STS_EXTERNAL_ID": "photolala-dev",
            ],
            flags: SettingsFixture.dev
        )
        #expect(folder.count == 8 && folder.allSatisfy { $0.hasSuffix(": not applicable with store folder") })
    }

    @Test("all missing settings are reported together, including the master key in dev")
    func missing() throws {
        #expect(
            try problems(["PHOTOLALA_KEYS_MASTER": "", "PHOTOLALA_STS_ROLE_ARN": ""]) == [
                "sts.roleARN: required: the role of the users' credentials, arn:aws:iam::ACCOUNT:role/NAME",
                "keys.master: required for a store on S3: ID:BASE64 of 32 random bytes",
            ]
        )
    }

    @Test(
        "an invalid value is reported exactly once",
        arguments: [
            ("PHOTOLALA_STORE", "S3"), ("PHOTOLALA_S3_BUCKET", "Photos"), ("PHOTOLALA_S3_ENDPOINT", "127.0.0.1:8333"),
            ("PHOTOLALA_S3_ENDPOINT", "http://user@a.example"), ("PHOTOLALA_S3_EXPECTED_BUCKET_OWNER", "12345"),
            ("PHOTOLALA_S3_PATH_STYLE", "perhaps"), ("PHOTOLALA_STS_ROLE_ARN", "photolala-user"),
            ("PHOTOLALA_STS_ENDPOINT", "sts"), ("PHOTOLALA_STS_EXTERNAL_ID", "a b"),
            ("PHOTOLALA_S3_ACCESS_KEY_ID", "alone"),
            ("PHOTOLALA_S3_SECRET_ACCESS_KEY", "alone"), ("AWS_ACCESS_KEY_ID", "alone"),
            ("AWS_SECRET_ACCESS_KEY", "alone"), ("AWS_WEB_IDENTITY_TOKEN_FILE", "/token"),
        ])
    func badValues(variable: String, value: String) throws {
        var more = [variable: value]
        // With an unknown kind, only the kind is reported and not the folder settings.
        if variable == "PHOTOLALA_STORE" { more["PHOTOLALA_DATA"] = "/x" }
        let problems = try problems(more)
        #expect(problems.count == 1, "\(problems)")
    }

    @Test("an external id is optional, and an invalid one is reported with the rule")
    func externalID() throws {
        #expect(try read().store.bucket?.externalID == nil)
        let bucket = try read(["PHOTOLALA_STS_EXTERNAL_ID": "photolala-app-2024"]).store.bucket
        #expect(bucket?.externalID?.description == "photolala-app-2024")
        #expect(
            try problems(["PHOTOLALA_STS_EXTERNAL_ID": "x"])
                == ["sts.externalID: must be 2 to 1224 of A-Z, a-z, 0-9 and _+=,.@:/-, not \"x\""])
    }

    @Test("keys come from the settings or AWS's own variables; half an AWS pair is ignored beside configured keys")
    func keys() throws {
        let given = ["PHOTOLALA_S3_ACCESS_KEY_ID": "AK", "PHOTOLALA_S3_SECRET_ACCESS_KEY": "S"]
        #expect(try read(given).store.bucket?.keys?.accessKeyID == "AK")
        #expect(try problems(given.merging(["AWS_ACCESS_KEY_ID": "other"]) { _, new in new }).isEmpty)
        let found = ["AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": "S"]
        #expect(try read(found).store.bucket?.awsVariables == found)
    }

    private static let noEraser =
        "sts.eraserRoleARN: required in prod: the role that erases deleted users' objects, "
        + "arn:aws:iam::ACCOUNT:role/NAME"

    @Test("prod rejects plain http for every endpoint, and requires the eraser role and, on AWS, the bucket owner")
    func prod() throws {
        let real = ["PHOTOLALA_APPLE_AUDIENCES": "app", "PHOTOLALA_PUBLIC_URL": "https://accounts.example"]
        let plain = try problems(
            real.merging([
                "PHOTOLALA_S3_INTERNAL_ENDPOINT": "http://10.0.0.7:8333", "PHOTOLALA_STS_ENDPOINT": "http://10.0.0.8",
            ]) { _, new in new },
            environment: "prod"
        )
        #expect(
            plain == [
                "s3.endpoint: must be https in prod, not http://127.0.0.1:8333",
                "s3.internalEndpoint: must be https in prod, not http://10.0.0.7:8333",
                "sts.endpoint: must be https in prod, not http://10.0.0.8", Self.noEraser,
            ]
        )
        var aws = real.merging(["PHOTOLALA_S3_ENDPOINT": ""]) { _, new in new }
        #expect(
            try problems(aws, environment: "prod")
                == [
                    "s3.expectedBucketOwner: required in prod: the 12 digits of the account that owns the bucket",
                    Self.noEraser,
                ]
        )
        aws["PHOTOLALA_S3_EXPECTED_BUCKET_OWNER"] = "123456789012"
        aws["PHOTOLALA_STS_ERASER_ROLE_ARN"] = "photolala-eraser"
        #expect(
            try problems(aws, environment: "prod")
                == ["sts.eraserRoleARN: must be arn:aws:iam::ACCOUNT:role/NAME, not \"photolala-eraser\""])
        aws["PHOTOLALA_STS_ERASER_ROLE_ARN"] = "arn:aws:iam::123456789012:role/photolala-eraser"
        #expect(try problems(aws, environment: "prod").isEmpty)
        let own = real.merging([
            "PHOTOLALA_S3_ENDPOINT": "https://s3.example",
            "PHOTOLALA_STS_ERASER_ROLE_ARN": "arn:aws:iam::000000000000:role/photolala-eraser",
        ]) { _, new in new }
        #expect(try problems(own, environment: "prod").isEmpty)
    }
}
