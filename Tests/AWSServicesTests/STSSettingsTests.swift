import AWSServices
import Testing

struct STSSettingsTests {
    @Test(
        "a role is parsed with its partition",
        arguments: [
            ("arn:aws:iam::123456789012:role/photolala-user", "aws"),
            ("arn:aws-cn:iam::123456789012:role/team/photolala+user=a,b.c@d_e", "aws-cn"),
            ("arn:aws-us-gov:iam::000000000000:role/r", "aws-us-gov"),
        ]
    )
    func roles(text: String, partition: String) throws {
        let role = try #require(RoleARN(text))
        #expect(role.description == text && role.partition.rawValue == partition)
    }

    @Test(
        "an invalid role ARN is rejected",
        arguments: [
            "", "role", "arn:aws:iam::123456789012:user/u", "arn:aws:iam::123456789012:role/",
            "arn:aws:iam::12345678901:role/r", "arn:aws:iam::12345678901x:role/r", "arn:aws:sts::123456789012:role/r",
            "arn:aws:iam:eu-west-1:123456789012:role/r", "arn:elsewhere:iam::123456789012:role/r",
            "arn:aws:iam::123456789012:role/*", "arn:aws:iam::123456789012:role/a b",
            "arn:aws:iam::123456789012:role/ä",
            "arn:aws:iam::123456789012:role/r:s", "arn:aws:iam::123456789012:role/r\n",
            "arn:aws:iam::123456789012:role/" + String(repeating: "r", count: 2048),
        ]
    )
    func noRoles(text: String) { #expect(RoleARN(text) == nil) }

    @Test(
        "an external id has 2 to 1224 of AWS's characters",
        arguments: [
            ("photolala-app-2024", true), ("aZ", true), ("0_+=,.@:/-9", true),
            (String(repeating: "x", count: 1224), true),
            ("", false), ("a", false), (String(repeating: "x", count: 1225), false), ("a b", false), ("a\n", false),
            ("ä", false), ("a*", false), ("a\\b", false),
        ])
    func externalIDs(text: String, isValid: Bool) {
        #expect(ExternalID(text)?.description == (isValid ? text : nil))
    }

    @Test("endpoints, region and bucket are validated")
    func settings() throws {
        let role = try #require(RoleARN("arn:aws-cn:iam::123456789012:role/r"))
        let china = try #require(STSSettings(role: role, region: "cn-north-1", bucket: "photos"))
        #expect(china.storeEndpoint == "https://s3.cn-north-1.amazonaws.com.cn")
        #expect(STSSettings(role: role, region: "", bucket: "photos") == nil)
        #expect(STSSettings(role: role, region: "r", bucket: "Photos") == nil)
        #expect(STSSettings(role: role, region: "r", bucket: "photos/*") == nil)
        #expect(STSSettings(role: role, region: "r", endpoint: "sts", bucket: "photos") == nil)
        #expect(STSSettings(role: role, region: "r", bucket: "photos", storeEndpoint: "ftp://s3") == nil)
    }
}
