import AWSServices
import Foundation
import HTTPTypes
import S3Protocol
import Testing

/// Reading a secret from AWS Secrets Manager.
@Suite struct SecretReaderTests {
    private static let arn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:photolala/stage-AbCdEf"

    private func read(
        _ replies: [FakeTransport.Reply], secret: String = Self.arn, endpoint: String? = nil
    ) async throws -> (String, FakeTransport) {
        let transport = FakeTransport(replies)
        let reader = try SecretReader(
            secret: secret, endpoint: endpoint,
            credentials: StaticCredentials(
                AWSCredentials(accessKeyID: "AKID", secretAccessKey: "secret", sessionToken: "token")),
            transport: transport, now: { Date(timeIntervalSince1970: 1_440_938_160) })
        return (try await reader.text(), transport)
    }

    @Test func `the request is signed for the secret's region and names the secret`() async throws {
        let (text, transport) = try await read([.response(200, [:], #"{"Name":"n","SecretString":"{\"a\":1}"}"#)])
        #expect(text == #"{"a":1}"#)
        let request = try #require(transport.requests.first)
        #expect(request.url == "https://secretsmanager.eu-west-1.amazonaws.com/" && request.method == "POST")
        let authorization = request.headers[.authorization] ?? ""
        #expect(authorization.contains("Credential=AKID/20150830/eu-west-1/secretsmanager/aws4_request"))
        #expect(authorization.contains("x-amz-security-token;x-amz-target"))
        let target = try #require(HTTPField.Name("X-Amz-Target"))
        #expect(request.headers[target] == "secretsmanager.GetSecretValue")
        #expect(request.body?.contains("secret:photolala") == true)
    }

    @Test func `another endpoint is used as given`() async throws {
        let (_, transport) = try await read(
            [.response(200, [:], #"{"SecretString":"s"}"#)], endpoint: "http://127.0.0.1:4566")
        #expect(transport.requests.first?.url == "http://127.0.0.1:4566/")
    }

    @Test func `a lost response is repeated once`() async throws {
        let (text, transport) = try await read([.lost, .response(200, [:], #"{"SecretString":"s"}"#)])
        #expect(text == "s" && transport.requests.count == 2)
        // The start of a function on AWS Lambda ends after ten seconds.
        #expect(transport.requests.map(\.timeout).reduce(.zero, +) < .seconds(8))
        await #expect(throws: SecretReader.Failure.self) { _ = try await read([.lost, .lost]) }
    }

    @Test(
        "each refusal is reported by its name and without the message",
        arguments: [
            (
                400, #"{"__type":"AccessDeniedException","Message":"key AKID"}"#,
                SecretReader.Failure.denied("AccessDeniedException")
            ),
            (400, #"{"__type":"com.amazonaws.secretsmanager#ResourceNotFoundException"}"#, .missing),
            (403, "<html>", .denied("HTTP 403")), (200, #"{"SecretBinary":"AAAA"}"#, .notText), (200, "[]", .notText),
        ])
    func refusals(status: Int, body: String, expected: SecretReader.Failure) async throws {
        await #expect(throws: expected) { _ = try await read([.response(status, [:], body)]) }
    }

    @Test(
        "anything but the ARN of a secret is refused without a request",
        arguments: ["", "photolala", "arn:aws:s3:::bucket", "arn:aws:secretsmanager::1:secret:x"])
    func names(secret: String) async throws {
        await #expect(throws: SecretReader.Failure.invalidARN) { _ = try await read([], secret: secret) }
    }
}
