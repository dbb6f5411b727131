import AWSServices
import Foundation
import PhotolalaAPI
import StorageAccess
import Testing

struct AssumeRoleTests {
    @Test("the signature of a call matches that of an independent signer")
    func signature() async throws {
        let fixture = try ScriptedTokenService([.session()])
        let issued = try await fixture.issue(.read)
        let seen = try #require(fixture.transport.requests.first)
        #expect(seen.method == "POST")
        #expect(seen.url == "https://sts.eu-west-1.amazonaws.com/")
        #expect(seen.headers[.contentType] == "application/x-www-form-urlencoded")
        // Computed with botocore 1.44 from the same form, keys and date.
        #expect(
            seen.headers[.authorization]
                == "AWS4-HMAC-SHA256 Credential=AKID/20150830/eu-west-1/sts/aws4_request, "
                + "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, "
                + "Signature=688f380a4f3d4c2eff48cc151457cc01b542ff68e6dcc9f3d01996f86fee7b9f"
        )
        let user = try #require(ScriptedTokenService.user)
        #expect(
            issued
                == StorageCredentials(
                    accessKeyID: "ASIA", secretAccessKey: "S", sessionToken: "T",
                    expiration: ScriptedTokenService.now + 3600, endpoint: "https://s3.eu-west-1.amazonaws.com",
                    region: "eu-west-1", bucket: "photolala-dev", prefixes: StorageLayout.userPrefixes(user),
                    access: .read
                )
        )
    }

    @Test("a session has the user's name and policy, and the configured role", arguments: StorageAccessLevel.all)
    func form(access: StorageAccessLevel) async throws {
        let fixture = try ScriptedTokenService([.session()])
        _ = try await fixture.issue(access)
        let form = try #require(fixture.forms.first)
        let user = try #require(ScriptedTokenService.user)
        let bucket = try #require(BucketARN(partition: .aws, bucket: "photolala-dev"))
        #expect(
            form == [
                "Action": "AssumeRole", "Version": "2011-06-15", "DurationSeconds": "3600",
                "RoleArn": "arn:aws:iam::123456789012:role/photolala-user", "RoleSessionName": user.description,
                "Policy": SessionPolicy(UserStoragePolicy(user: user, access: access), bucket: bucket).json,
            ]
        )
    }

    @Test("a call sends the external id of the users' role if there is one", arguments: [nil, "photolala-prod"])
    func externalID(text: String?) async throws {
        let fixture = try ScriptedTokenService([.session()], externalID: text.flatMap(ExternalID.init))
        _ = try await fixture.issue()
        let form = try #require(fixture.forms.first)
        #expect(form["ExternalId"] == text && form.keys.contains("ExternalId") == (text != nil))
    }

    @Test("a session of the eraser role sends no external id")
    func eraser() async throws {
        let fixture = try ScriptedTokenService([.session()], externalID: ExternalID("photolala-prod"))
        let role = try #require(RoleARN("arn:aws:iam::123456789012:role/photolala-eraser"))
        try await fixture.openErasure(role)
        let form = try #require(fixture.forms.first)
        #expect(form["RoleArn"] == role.description && form["ExternalId"] == nil)
    }

    @Test(
        "a session lasts as long as the grant, and a policy limits it where the minimum lifetime is longer",
        arguments: [
            (3600, "3600", false), (3599.9, "3599", false), (900, "900", false), (899.5, "900", true), (1, "900", true),
        ]
            as [(TimeInterval, String, Bool)]
    )
    func duration(seconds: TimeInterval, asked: String, isLimited: Bool) async throws {
        let fixture = try ScriptedTokenService([.session(endingIn: Int(asked) ?? 0)])
        let issued = try await fixture.issue(seconds: seconds)
        #expect(fixture.forms.first?["DurationSeconds"] == asked)
        let end = (ScriptedTokenService.now + seconds.rounded(.down)).ISO8601Format()
        let policy = try #require(fixture.forms.first?["Policy"])
        #expect(policy.contains(#""DateLessThan":{"aws:CurrentTime":["\#(end)"]}"#) == isLimited)
        #expect(issued.expiration <= ScriptedTokenService.now + seconds, "the expiration never exceeds the grant")
    }

    @Test("a grant of the minimum lifetime needs no policy limit while the Photolala session lasts long enough")
    func shortest() async throws {
        for (age, own, isLimited) in [(0.0, 3600.0, false), (0.9, 900, false), (0.9, 899.9, true)] {
            let fixture = try ScriptedTokenService([.session(endingIn: 900)])
            _ = try await fixture.issue(seconds: 900 - age, latest: own)
            #expect(fixture.forms.first?["DurationSeconds"] == "900")
            #expect(fixture.forms.first?["Policy"]?.contains("aws:CurrentTime") == isLimited)
        }
    }

    @Test(
        "a grant shorter than a session ends by its policy, if policies can compare the time",
        arguments: [nil, "http://127.0.0.1:8333"])
    func brief(endpoint: String?) async throws {
        let fixture = try ScriptedTokenService([.session(endingIn: 900)], endpoint: endpoint)
        let issued = try await fixture.issue(.readDelete, seconds: 300, latest: 86_400)
        #expect(fixture.forms.first?["DurationSeconds"] == "900")
        #expect(fixture.forms.first?["Policy"]?.contains("aws:CurrentTime") == (endpoint == nil))
        #expect(issued.expiration == ScriptedTokenService.now + 300)
        #expect(fixture.issuer.minimumLifetime == (endpoint == nil ? 300 : 900))
    }

    @Test("a session without records has a policy that writes nothing")
    func withheld() async throws {
        let fixture = try ScriptedTokenService([.session(), .session()])
        _ = try await fixture.issue(.readDelete)
        _ = try await fixture.issue(.readDelete, mayRecord: false)
        #expect(fixture.forms.map { $0["Policy"]?.contains("s3:PutObject") } == [true, false])
    }

    @Test("an expired grant is refused without a request", arguments: [0, -1] as [TimeInterval])
    func ended(seconds: TimeInterval) async throws {
        let fixture = try ScriptedTokenService([.session()])
        await #expect(throws: CredentialIssuerError.refused("grant expired")) {
            try await fixture.issue(seconds: seconds)
        }
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test("a session that is much too long or already expired is refused", arguments: [4501, 0, -60])
    func life(seconds: Int) async throws {
        let fixture = try ScriptedTokenService([.session(endingIn: seconds)])
        await #expect(
            throws: CredentialIssuerError.refused(
                "session duration is \(seconds) seconds, requested 3600. Check the clocks"
            )
        ) { try await fixture.issue() }
    }

    @Test(
        "a response without usable credentials is an error",
        arguments: [
            .response(200, [:], ""), .response(200, [:], "{}"), .session(token: ""), .session(token: "a b"),
            .session(token: "ä"), .session(before: #"<!DOCTYPE a [<!ENTITY b "c">]>"#),
            .response(200, [:], "<AssumeRoleResponse><AssumeRoleResult/></AssumeRoleResponse>"),
        ] as [FakeTransport.Reply]
    )
    func unusable(reply: FakeTransport.Reply) async throws {
        let fixture = try ScriptedTokenService([reply, reply, reply])
        await #expect(throws: CredentialIssuerError.unavailable("the token service: response without keys")) {
            try await fixture.issue()
        }
    }

    @Test("a long response is read, and one above the limit is rejected")
    func length() async throws {
        let token = String(repeating: "t", count: 20_000)
        #expect(try await ScriptedTokenService([.session(token: token)]).issue().sessionToken == token)
        let huge = FakeTransport.Reply.session(token: String(repeating: "t", count: 70_000))
        let fixture = try ScriptedTokenService([huge, huge, huge])
        await #expect(throws: CredentialIssuerError.unavailable("the token service: tooLarge")) {
            try await fixture.issue()
        }
    }

    @Test("a custom token service endpoint keeps its path")
    func endpoint() async throws {
        let fixture = try ScriptedTokenService([.session()], endpoint: "http://127.0.0.1:8333/sts/")
        _ = try await fixture.issue()
        #expect(fixture.transport.requests.first?.url == "http://127.0.0.1:8333/sts/")
    }
}

extension StorageAccessLevel {
    static let all: [StorageAccessLevel] = [.readWrite, .readDelete, .read]
}
