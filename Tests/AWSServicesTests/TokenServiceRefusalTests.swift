import AWSServices
import S3Protocol
import StorageAccess
import Synchronization
import Testing

struct TokenServiceRefusalTests {
    @Test(
        "a rejected call reports the required action and is not retried",
        arguments: [
            (403, "AccessDenied", "name the server's role in its trust policy"),
            (400, "MalformedPolicyDocument", "It does not support the session policy"),
            (400, "PackedPolicyTooLarge", "Use a bucket with a shorter name"),
            (403, "RegionDisabledException", "Activate the token service in this region"),
            (403, "SignatureDoesNotMatch", "Check the server's secret key and region"),
            (400, "ValidationError", "that the role's sessions can last an hour"),
            (403, "InvalidClientTokenId", "Configure other keys for the server"),
            (403, "ExpiredToken", "Configure other keys for the server"),
            (400, "InvalidAction", "This endpoint does not support AssumeRole"),
            (403, "RequestTimeTooSkewed", "Set the clock of this machine"),
            (418, "Teapot", "the token service returned Teapot (HTTP 418)"),
        ]
    )
    func refused(status: Int, code: String, advice: String) async throws {
        let fixture = try ScriptedTokenService([.refusal(status, code), .session()])
        let error = await #expect(throws: CredentialIssuerError.self) { try await fixture.issue() }
        guard case .refused(let words) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(words.hasPrefix("the token service returned \(code) (HTTP \(status))") && words.contains(advice))
        #expect(!words.contains("quotes a token"), "the answer's own words are not told on")
        #expect(fixture.transport.requests.count == 1)
    }

    @Test(
        "AWS's message distinguishes a wrong clock from a wrong secret",
        arguments: [
            "Signature expired: 20150830T123600Z is now earlier than 20150830T130000Z",
            "Signature not yet current: 20150830T123600Z is still later than 20150830T120000Z",
        ]
    )
    func clock(message: String) async throws {
        let fixture = try ScriptedTokenService([.refusal(403, "SignatureDoesNotMatch", message)])
        await #expect(
            throws: CredentialIssuerError.refused(
                "the token service returned SignatureDoesNotMatch (HTTP 403). Set the clock of this machine"
            )
        ) { try await fixture.issue() }
    }

    @Test(
        "a transient failure is retried after a delay",
        arguments: [
            .refusal(400, "Throttling"), .refusal(400, "RequestLimitExceeded"), .refusal(503, "ServiceUnavailable"),
            .response(500), .response(429), .lost, .notSent, .brokenBody(200, [:]),
        ] as [FakeTransport.Reply]
    )
    func passing(reply: FakeTransport.Reply) async throws {
        let fixture = try ScriptedTokenService([reply, reply, .session()])
        #expect(try await fixture.issue().accessKeyID == "ASIA")
        #expect(fixture.waits.count == 2)
        let failing = try ScriptedTokenService([reply, reply, reply, .session()])
        let error = await #expect(throws: CredentialIssuerError.self) { try await failing.issue() }
        guard case .unavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failing.transport.requests.count == 3)
    }

    @Test("expired credentials of the service are renewed once")
    func renewal() async throws {
        let source = Renewable()
        let fixture = try ScriptedTokenService([.refusal(403, "ExpiredToken"), .session()], credentials: source)
        #expect(try await fixture.issue().accessKeyID == "ASIA")
        #expect(
            fixture.transport.requests.map { $0.headers[.authorization]?.contains("Credential=NEW/") } == [false, true])

        let again = try ScriptedTokenService(
            [.refusal(403, "ExpiredToken"), .refusal(403, "ExpiredToken"), .session()], credentials: Renewable())
        await #expect(
            throws: CredentialIssuerError.refused(
                "the token service returned ExpiredToken (HTTP 403). Configure other keys for the server")
        ) { try await again.issue() }
        #expect(again.transport.requests.count == 2)
    }

    @Test("without credentials of its own the service sends no request")
    func noKeys() async throws {
        for (error, told) in [
            (CredentialError.refused("none"), CredentialIssuerError.refused("the server's credentials: none")),
            (.unavailable("down"), .unavailable("the server's credentials: down")),
        ] {
            let fixture = try ScriptedTokenService([.session()], credentials: Keyless(error: error))
            await #expect(throws: told) { try await fixture.issue() }
            #expect(fixture.transport.requests.isEmpty)
        }
    }

    private struct Keyless: CredentialSource {
        let error: CredentialError

        func credentials() async throws(CredentialError) -> AWSCredentials { throw error }
        func replacement(for refused: AWSCredentials) async throws(CredentialError) -> AWSCredentials? { throw error }
    }

    private struct Renewable: CredentialSource {
        func credentials() async throws(CredentialError) -> AWSCredentials {
            AWSCredentials(accessKeyID: "OLD", secretAccessKey: "secret")
        }
        func replacement(for refused: AWSCredentials) async throws(CredentialError) -> AWSCredentials? {
            AWSCredentials(accessKeyID: "NEW", secretAccessKey: "secret")
        }
    }
}
