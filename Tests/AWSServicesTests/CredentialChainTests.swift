import AWSServices
import Foundation
import S3Protocol
import Testing

/// The precedence of credential sources.
struct CredentialChainTests {
    private static let places = [
        "AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": "S", "AWS_ROLE_ARN": "arn:aws:iam::1:role/r",
        "AWS_WEB_IDENTITY_TOKEN_FILE": "/nowhere", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/keys",
    ]

    private func chain(
        keys: AWSCredentials? = nil, without names: [String] = [], _ transport: FakeTransport = FakeTransport([])
    ) throws -> CredentialChain {
        try CredentialChain(
            keys: keys, environment: Self.places.filter { !names.contains($0.key) }, region: "eu-west-1",
            tokenService: "https://sts.example", transport: transport, now: { Date(timeIntervalSince1970: 0) }
        )
    }

    @Test("settings precede the environment, then web identity, container and instance")
    func order() async throws {
        let given = AWSCredentials(accessKeyID: "given", secretAccessKey: "S")
        let settings = try chain(keys: given)
        #expect(settings.link == .settings)
        #expect(try await settings.credentials() == given)
        let environment = try chain()
        #expect(environment.link == .environment)
        #expect(try await environment.credentials().accessKeyID == "AK")
        #expect(try chain(without: ["AWS_SECRET_ACCESS_KEY"]).link == .webIdentity)
        #expect(try chain(without: ["AWS_ACCESS_KEY_ID", "AWS_ROLE_ARN"]).link == .container)
        let none = Array(Self.places.keys)
        #expect(try chain(without: none).link == .instance)
    }

    @Test("container credentials are fetched once and cached while they are valid")
    func container() async throws {
        let transport = FakeTransport([
            .response(
                200, [:],
                """
                {"AccessKeyId": "C", "SecretAccessKey": "S", "Token": "T", "Expiration": "1970-01-01T01:00:00Z"}
                """
            )
        ])
        let chain = try chain(without: ["AWS_ACCESS_KEY_ID", "AWS_ROLE_ARN"], transport)
        #expect(try await chain.credentials().accessKeyID == "C")
        #expect(try await chain.credentials().accessKeyID == "C")
        #expect(transport.requests.map(\.url) == ["http://169.254.170.2/keys"])
    }

    @Test("an untrusted container endpoint is refused, and no other source is tried")
    func untrusted() {
        #expect(
            throws: CredentialError.refused(
                "AWS_CONTAINER_CREDENTIALS_FULL_URI: untrusted address http://keys.example/")
        ) {
            try CredentialChain(
                keys: nil, environment: ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://keys.example/"],
                region: "eu-west-1", tokenService: "https://sts.example", transport: FakeTransport([]),
                now: { Date(timeIntervalSince1970: 0) }
            )
        }
    }
}
