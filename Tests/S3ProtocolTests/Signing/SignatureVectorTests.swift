import Foundation
import HTTPTypes
import Testing

@testable import S3Protocol

/// The 38 cases of AWS's Signature Version 4 test suite, in both forms, for signing and verification.
@Suite(.enabled(if: !SignatureVector.all.isEmpty, "no test vectors; run scripts/install-vectors"))
struct SignatureVectorTests {
    @Test("all vectors are present") func count() { #expect(SignatureVector.all.count == 38) }

    @Test("header signatures match the test vectors", arguments: SignatureVector.all)
    func signsHeader(_ vector: SignatureVector) throws {
        let context = try vector.context()
        let (request, body) = try vector.request("request.txt")
        let payload = context.sign_body ? PayloadHash.of(Data(body.utf8)) : .empty
        let signed = try signer(context, header: true).sign(request, payload: payload, at: date(context))
        let expected = try vector.text("header-signature.txt").trimmingCharacters(in: .whitespacesAndNewlines)
        let authorization = try #require(signed.headers[.authorization])
        #expect(authorization.hasSuffix("Signature=\(expected)"))
        #expect(try vector.text("header-signed-request.txt").contains("Authorization:\(authorization)"))
    }

    @Test("presigned signatures match the test vectors", arguments: SignatureVector.all)
    func presigns(_ vector: SignatureVector) throws {
        let context = try vector.context()
        let (request, body) = try vector.request("request.txt")
        let query = try signer(context, header: false).presignedQuery(
            request, payload: context.sign_body ? PayloadHash.of(Data(body.utf8)) : .empty,
            expires: context.expiration_in_seconds, at: date(context)
        )
        let expected = try vector.text("query-signature.txt").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(query.hasSuffix("&X-Amz-Signature=\(expected)"))
    }

    @Test("a signed request of the vectors is accepted, and rejected once changed", arguments: SignatureVector.all)
    func checksHeader(_ vector: SignatureVector) throws {
        let context = try vector.context()
        var (request, body) = try vector.request("header-signed-request.txt")
        let authorization = try ParsedAuthorization(
            header: request.headers[.authorization] ?? "", date: request.headers[.amzDate]
        )
        let payload = context.sign_body ? PayloadHash.of(Data(body.utf8)) : .empty
        #expect(check(context, authorization, request, payload))
        request.method = "DELETE"
        #expect(!check(context, authorization, request, payload))
    }

    @Test("a presigned request of the vectors is accepted, and rejected once changed", arguments: SignatureVector.all)
    func checksQuery(_ vector: SignatureVector) throws {
        let context = try vector.context()
        var (request, body) = try vector.request("query-signed-request.txt")
        if context.omit_session_token == true {
            // The token was appended after signing and must be removed before verification.
            request.query = request.query.split(separator: "&").filter { !$0.hasPrefix("X-Amz-Security-Token=") }
                .joined(separator: "&")
        }
        let items = try #require(AWSPercentEncoding.parseQuery(request.query))
        let authorization = try ParsedAuthorization(query: items)
        #expect(authorization.expires == context.expiration_in_seconds)
        let payload = context.sign_body ? PayloadHash.of(Data(body.utf8)) : .empty
        #expect(check(context, authorization, request, payload))
        request.query += "&more=1"
        #expect(!check(context, authorization, request, payload))
    }

    private func check(
        _ context: SignatureVector.Context, _ authorization: ParsedAuthorization, _ request: SignableRequest,
        _ payload: PayloadHash
    ) -> Bool {
        SignatureVerifier(pathNormalization: context.normalize ? .standard : .none).verify(
            authorization, of: request, payload: payload, secretAccessKey: context.credentials.secret_access_key
        ) != nil
    }

    private func signer(_ context: SignatureVector.Context, header: Bool) -> RequestSigner {
        RequestSigner(
            credentials: AWSCredentials(
                accessKeyID: context.credentials.access_key_id, secretAccessKey: context.credentials.secret_access_key,
                sessionToken: context.omit_session_token == true ? nil : context.credentials.token
            ),
            region: context.region, service: context.service, pathNormalization: context.normalize ? .standard : .none,
            sendsPayloadHash: header && context.sign_body
        )
    }

    private func date(_ context: SignatureVector.Context) throws -> Date {
        try Date(context.timestamp, strategy: .iso8601)
    }
}
