import AWSServices
import Foundation
import HTTPTypes
import S3Protocol
import Testing

struct CredentialSourceTests {
    private static let document = """
        {"Code": "Success", "AccessKeyId": "AK", "SecretAccessKey": "S", "Token": "T", \
        "Expiration": "2026-01-02T03:04:05Z"}
        """
    private static let keys = FakeTransport.Reply.response(200, [:], document)
    private static let expected = ExpiringCredentials(
        AWSCredentials(accessKeyID: "AK", secretAccessKey: "S", sessionToken: "T"),
        expiresAt: Date(timeIntervalSince1970: 1_767_323_045)
    )

    private func withTokenFile(_ text: String, _ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID())")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }

    @Test("environment credentials are used if both keys are set")
    func environment() async throws {
        let names = ["AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": "S", "AWS_SESSION_TOKEN": "T"]
        let source = try #require(StaticCredentials(environment: names))
        #expect(try await source.credentials() == Self.expected.credentials)
        #expect(StaticCredentials(environment: ["AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": ""]) == nil)
    }

    @Test("instance credentials are fetched with a token, the role's name and its keys")
    func instance() async throws {
        let transport = FakeTransport([.response(200, [:], "TOKEN"), .response(200, [:], "role\n"), Self.keys])
        #expect(try await InstanceCredentials(transport: transport).fetch() == Self.expected)
        let seen = transport.requests
        #expect(seen.map(\.method) == ["PUT", "GET", "GET"])
        #expect(seen.last?.url == "http://169.254.169.254/latest/meta-data/iam/security-credentials/role")
        let ttl = try #require(HTTPField.Name("x-aws-ec2-metadata-token-ttl-seconds"))
        let token = try #require(HTTPField.Name("x-aws-ec2-metadata-token"))
        #expect(seen[0].headers[ttl] == "21600")
        #expect(seen[1...].allSatisfy { $0.headers[token] == "TOKEN" })
    }

    @Test(
        "an instance without credentials reports the reason",
        arguments: [
            ([.notSent], .unavailable("notSent(\"refused\")")), ([.response(403)], .refused("HTTP 403")),
            ([.response(200, [:], "T"), .response(404)], .refused("HTTP 404")),
            ([.response(200, [:], "T"), .response(200, [:], "\n")], .refused("instance without a role")),
            ([.response(200, [:], "T"), .response(200, [:], "role"), .response(503)], .unavailable("HTTP 503")),
            (
                [.response(200, [:], "T"), .response(200, [:], "role"), .response(200, [:], #"{"Code": "Failed"}"#)],
                .unavailable("response without keys")
            ),
        ] as [([FakeTransport.Reply], CredentialError)]
    )
    func instanceWithoutKeys(replies: [FakeTransport.Reply], error: CredentialError) async throws {
        await #expect(throws: error) { try await InstanceCredentials(transport: FakeTransport(replies)).fetch() }
    }

    @Test("a container endpoint is queried with the current token of the file")
    func container() async throws {
        try await withTokenFile("first\n") { path in
            let transport = FakeTransport([Self.keys, Self.keys])
            let environment = [
                "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.23/v1/credentials",
                "AWS_CONTAINER_AUTHORIZATION_TOKEN": "unused", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": path,
            ]
            let source = try #require(try ContainerCredentials(environment: environment, transport: transport))
            #expect(try await source.fetch() == Self.expected)
            try Data("second".utf8).write(to: URL(filePath: path))
            _ = try await source.fetch()
            #expect(
                transport.requests.map(\.url) == [String](repeating: "http://169.254.170.23/v1/credentials", count: 2))
            #expect(transport.requests.map { $0.headers[.authorization] } == ["first", "second"])
        }
    }

    @Test("a relative URI is resolved to the ECS endpoint and takes precedence")
    func relative() async throws {
        let transport = FakeTransport([Self.keys])
        let environment = [
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/x",
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": "https://elsewhere.example",
        ]
        let source = try #require(try ContainerCredentials(environment: environment, transport: transport))
        _ = try await source.fetch()
        #expect(transport.requests.map(\.url) == ["http://169.254.170.2/v2/x"])
        #expect(transport.requests.first?.headers[.authorization] == nil)
    }

    @Test(
        "credentials are requested only from trusted endpoints",
        arguments: [
            ("https://any.example/x", true), ("http://127.0.0.1:8080/x", true), ("http://127.9.9.9/x", true),
            ("http://localhost/x", true), ("http://[::1]:80/x", true), ("http://[fd00:ec2::23]/v1", true),
            ("http://169.254.170.2/x", true), ("http://169.254.169.254/x", false), ("http://any.example/x", false),
            ("http://127.evil.example/x", false), ("http://127.0.0.1.evil.example/x", false),
            ("http://127.0.0.1@evil.example/x", false), ("ftp://127.0.0.1/x", false), ("/x", false),
        ]
    )
    func trust(address: String, isTrusted: Bool) throws {
        let environment = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": address]
        var wasTrusted = true
        do {
            _ = try ContainerCredentials(environment: environment, transport: FakeTransport([]))
        } catch {
            wasTrusted = false
        }
        #expect(wasTrusted == isTrusted)
        #expect(try ContainerCredentials(environment: [:], transport: FakeTransport([])) == nil)
    }

    @Test("an authorization token with a line break is rejected")
    func injectedToken() async throws {
        let environment = [
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/x", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "a\r\nHost: evil",
        ]
        let transport = FakeTransport([Self.keys])
        let source = try #require(try ContainerCredentials(environment: environment, transport: transport))
        await #expect(throws: CredentialError.refused("authorization token with several lines")) {
            try await source.fetch()
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("a pod's identity token is exchanged for its role's credentials")
    func webIdentity() async throws {
        try await withTokenFile("a.b+c\n") { path in
            let response = """
                <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
                <AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>AK</AccessKeyId>
                <SecretAccessKey>S</SecretAccessKey><SessionToken>T</SessionToken>
                <Expiration>2026-01-02T03:04:05Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult>
                </AssumeRoleWithWebIdentityResponse>
                """
            let transport = FakeTransport([.response(200, [:], response)])
            let environment = ["AWS_ROLE_ARN": "arn:aws:iam::1:role/r", "AWS_WEB_IDENTITY_TOKEN_FILE": path]
            let source = try #require(
                WebIdentityCredentials(environment: environment, region: "eu-west-1", transport: transport))
            #expect(try await source.fetch() == Self.expected)
            #expect(transport.requests.first?.url == "https://sts.eu-west-1.amazonaws.com/")
            #expect(
                transport.requests.first?.body
                    == "Action=AssumeRoleWithWebIdentity&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr"
                    + "&RoleSessionName=photolala&Version=2011-06-15&WebIdentityToken=a.b%2Bc")
            #expect(transport.requests.first?.headers[.authorization] == nil)
        }
    }

    @Test(
        "a failed exchange reports whether a retry may succeed",
        arguments: [
            ("AccessDenied", 403, .refused("AccessDenied (HTTP 403)")),
            ("InvalidIdentityToken", 400, .refused("InvalidIdentityToken (HTTP 400)")),
            ("ExpiredTokenException", 400, .unavailable("ExpiredTokenException (HTTP 400)")),
            ("InternalFailure", 500, .unavailable("InternalFailure (HTTP 500)")),
        ] as [(String, Int, CredentialError)]
    )
    func refusedExchange(code: String, status: Int, error: CredentialError) async throws {
        try await withTokenFile("token") { path in
            let text = "<ErrorResponse><Error><Code>\(code)</Code></Error></ErrorResponse>"
            let environment = ["AWS_ROLE_ARN": "r", "AWS_WEB_IDENTITY_TOKEN_FILE": path]
            let transport = FakeTransport([.response(status, [:], text)])
            let source = try #require(
                WebIdentityCredentials(environment: environment, region: "eu-west-1", transport: transport))
            await #expect(throws: error) { try await source.fetch() }
        }
    }

    @Test("credentials from a service are renewed before they expire, once for all waiting callers")
    func renewal() async throws {
        let transport = FakeTransport([Self.keys])
        let environment = ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/x"]
        let source = try #require(try ContainerCredentials(environment: environment, transport: transport))
        let renewing = RenewingCredentials(
            now: { Date(timeIntervalSince1970: 1_767_320_000) },
            fetch: { () async throws(CredentialError) in try await source.fetch() }
        )
        try await withThrowingTaskGroup(of: AWSCredentials.self) { group in
            for _ in 0..<20 { group.addTask { try await renewing.credentials() } }
            for try await keys in group { #expect(keys == Self.expected.credentials) }
        }
        #expect(transport.requests.count == 1)
    }
}
