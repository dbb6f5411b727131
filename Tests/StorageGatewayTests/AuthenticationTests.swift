import Foundation
import HTTPTypes
import S3Protocol
import Testing

@testable import StorageGateway

struct AuthenticationTests {
    private let path = GatewayFixture.path("x")

    @Test("unsigned requests and unknown access keys are rejected")
    func unknown() async throws {
        let fixture = try GatewayFixture()
        #expect(try await fixture.sendRaw("GET", path, fields: [:]).code == "AccessDenied")
        var credentials = AWSCredentials(accessKeyID: "AKID", secretAccessKey: "x")
        #expect(try await fixture.send("GET", path, as: credentials).code == "InvalidAccessKeyId")
        credentials = AWSCredentials(accessKeyID: "AKID", secretAccessKey: "x", sessionToken: "k1.AAAA")
        #expect(try await fixture.send("GET", path, as: credentials).code == "InvalidAccessKeyId")
    }

    @Test("a token of another key pair and a wrong secret are rejected, and other instances accept valid ones")
    func mixed() async throws {
        let fixture = try GatewayFixture()
        let (one, two) = (try fixture.credentials(), try fixture.credentials(GatewayFixture.bob))
        let swapped = AWSCredentials(
            accessKeyID: one.accessKeyID, secretAccessKey: one.secretAccessKey, sessionToken: two.sessionToken)
        #expect(try await fixture.send("GET", path, as: swapped).code == "InvalidAccessKeyId")
        let guessed = AWSCredentials(
            accessKeyID: one.accessKeyID, secretAccessKey: two.secretAccessKey, sessionToken: one.sessionToken)
        let response = try await fixture.send("GET", path, as: guessed)
        #expect(response.status == 403 && response.code == "SignatureDoesNotMatch")
        let elsewhere = try GatewayFixture()
        #expect(try await elsewhere.send("GET", path, as: one).status == 404)
    }

    @Test("an expired session returns ExpiredToken, which makes clients renew their credentials")
    func expired() async throws {
        let fixture = try GatewayFixture()
        let credentials = try fixture.credentials(lifetime: 60)
        fixture.time.advance(60)
        let response = try await fixture.send("GET", path, as: credentials)
        #expect(response.status == 400 && response.code == "ExpiredToken")
    }

    @Test(
        "a clock skew of up to 15 minutes is accepted", arguments: [(-901.0, 403), (-900, 404), (900, 404), (901, 403)])
    func skew(_ seconds: Double, _ status: Int) async throws {
        let fixture = try GatewayFixture()
        let credentials = try fixture.credentials(lifetime: 7200)
        let response = try await fixture.send("GET", path, as: credentials, at: fixture.time.now.addingTimeInterval(seconds))
        #expect(response.status == status)
        #expect(response.code == (status == 403 ? "RequestTimeTooSkewed" : "NoSuchKey"))
    }

    @Test("credentials of a removed device are rejected at once, and a failed session check returns 503")
    func removed() async throws {
        let fixture = try GatewayFixture()
        let credentials = try fixture.credentials()
        #expect(try await fixture.send("GET", path, as: credentials).status == 404)
        fixture.sessions.set(.ended)
        let response = try await fixture.send("GET", path, as: credentials)
        #expect(response.status == 403 && response.code == "InvalidAccessKeyId")
        fixture.sessions.set(.unreachable)
        #expect(try await fixture.send("GET", path, as: credentials).status == 503)
    }

    @Test("an unsigned header that could change the operation is rejected")
    func unsignedHeader() async throws {
        let fixture = try GatewayFixture()
        let signer = RequestSigner(
            credentials: try fixture.credentials(), region: "us-east-1", service: "s3", pathNormalization: .none)
        let request = SignableRequest(method: "PUT", host: "127.0.0.1:9000", path: path)
        var fields = signer.sign(request, payload: .empty, at: fixture.time.now).headers
        fields[.contentLength] = "0"
        fields[.amzCopySource] = path
        #expect(try await fixture.sendRaw("PUT", path, fields: fields).code == "AccessDenied")
    }

    @Test("a malformed authorization returns the matching error code")
    func malformed() async throws {
        let fixture = try GatewayFixture()
        let cases = [
            ("AWS AKID:sig", "InvalidRequest"), ("AWS4-HMAC-SHA256 nonsense", "AuthorizationHeaderMalformed"),
            ("AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=00", "AuthorizationHeaderMalformed"),
            ("Bearer x", "InvalidRequest"), ("", "InvalidRequest"),
        ]
        for (value, code) in cases {
            let fields: HTTPFields = [.authorization: value, .amzDate: AWSTimestamp(fixture.time.now).description]
            #expect(try await fixture.sendRaw("GET", path, fields: fields).code == code, "\(value)")
        }
        let old = try await fixture.sendRaw("GET", path, query: "AWSAccessKeyId=A&Signature=B&Expires=1", fields: [:])
        #expect(old.code == "InvalidRequest")
        let query = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=00"
        let response = try await fixture.sendRaw("GET", path, query: query, fields: [:])
        #expect(response.status == 400 && response.code == "AuthorizationQueryParametersError")
    }

    @Test("a signature for another region or service is rejected")
    func scope() async throws {
        let fixture = try GatewayFixture()
        for (region, service) in [("eu-west-1", "s3"), ("us-east-1", "sts")] {
            let signer = RequestSigner(
                credentials: try fixture.credentials(), region: region, service: service, pathNormalization: .none,
                sendsPayloadHash: true)
            let request = SignableRequest(method: "GET", host: "127.0.0.1:9000", path: path)
            let fields = signer.sign(request, payload: .empty, at: fixture.time.now).headers
            #expect(try await fixture.sendRaw("GET", path, fields: fields).code == "AuthorizationHeaderMalformed")
        }
    }

    @Test("a presigned link is valid until it expires, only for the signed request")
    func presigned() async throws {
        let fixture = try GatewayFixture()
        #expect(try await fixture.sendPresigned("PUT", path, body: "hello").status == 200)
        #expect(try await fixture.sendPresigned("GET", path).text == "hello")
        let late = try await fixture.sendPresigned("GET", path, expires: 60, headers: ["x-test-wait": "60"])
        #expect(late.status == 403 && late.code == "AccessDenied" && late.text.contains("Request has expired"))
        let moved = try await fixture.sendPresigned("GET", path) {
            $0.replacing("X-Amz-Expires=600", with: "X-Amz-Expires=601")
        }
        #expect(moved.code == "SignatureDoesNotMatch")
        let more = try await fixture.sendPresigned("GET", path) { $0 + "&response-content-type=text/html" }
        #expect(more.code == "SignatureDoesNotMatch")
        let added = try await fixture.sendPresigned("PUT", path, headers: ["x-amz-meta-a": "b"], body: "x")
        #expect(added.code == "AccessDenied")
    }
}
