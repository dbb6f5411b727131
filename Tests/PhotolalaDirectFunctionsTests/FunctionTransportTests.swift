import Foundation
import HTTPTypes
import NIOCore
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import S3Protocol
import Synchronization
import Testing
import Transport

@testable import PhotolalaDirectFunctions

/// API calls as invocations of Lambda functions.
@Suite struct FunctionTransportTests {
    private static let server = "https://photos.example"
    private static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// Records requests and gives one answer.
    private final class Lambda: HTTPTransport {
        private let answer: (status: Int, headers: HTTPFields, body: String)
        private let received = Mutex<[TransportRequest]>([])

        init(_ status: Int, _ body: String, _ headers: HTTPFields = [:]) { answer = (status, headers, body) }

        var requests: [TransportRequest] { received.withLock { $0 } }

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            received.withLock { $0.append(request) }
            let body = ByteBuffer(string: answer.body)
            return TransportResponse(
                status: answer.status, headers: answer.headers,
                body: AsyncThrowingStream<ByteBuffer, any Error> {
                    $0.yield(body)
                    $0.finish()
                })
        }
    }

    private func transport(_ lambda: Lambda) throws -> FunctionTransport {
        let invoker = EmbeddedCredentials.Invoker(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: Self.secret, region: "eu-central-1")
        let sealed = try EmbeddedCredentials.seal(invoker, for: .stage, randomness: .seeded(1))
        let functions = try DirectFunctions(.stage, credentials: EmbeddedCredentials([sealed]))
        return FunctionTransport(
            functions, server: try ServerAddress(Self.server), serverTransport: lambda, lambda: lambda
        ) { Self.start }
    }

    /// An access token, as far as a client reads it.
    private static let token = "e30.\(Data(#"{"sub":"\#(UserID.bob)"}"#.utf8).base64EncodedString()).c2ln"
        .replacingOccurrences(of: "=", with: "")

    private func request(_ path: String, _ body: String?, _ authorization: String? = nil) -> TransportRequest {
        TransportRequest(
            method: .post, url: Self.server + path, headers: authorization.map { [.authorization: $0] } ?? [:],
            body: body.map { .bytes(ByteBuffer(string: $0)) } ?? .none)
    }

    @Test(
        "each call of the four functions is an invocation, and all others reach the server",
        arguments: [
            ("/auth/signin", #"{"idToken":"t"}"#, nil, "auth-AuthenticateUser"),
            ("/auth/signup", #"{"pendingIdentity":"p"}"#, nil, "identity-CreateIdentity"),
            ("/auth/challenge", #"{"purpose":"signin"}"#, nil, "auth-AuthenticateUser"),
            ("/auth/challenge", #"{"purpose":"signup"}"#, nil, "identity-CreateIdentity"),
            ("/auth/challenge", #"{"purpose":"link"}"#, "Bearer \(token)", "identity-LinkProvider"),
            ("/auth/link-account", #"{"idToken":"t"}"#, "Bearer \(token)", "identity-LinkProvider"),
            ("/auth/credentials", nil, "Bearer \(token)", "auth-GetSTSToken"),
            // A proof of the device's key is valid for a request only.
            ("/auth/credentials", nil, "DPoP \(token)", nil), ("/auth/credentials", nil, "Bearer opaque", nil),
            ("/auth/challenge", #"{"purpose":"continue"}"#, nil, nil),
            ("/auth/challenge", #"{"purpose":"reauthenticate"}"#, "Bearer \(token)", nil),
            ("/auth/refresh", #"{"refreshToken":"r"}"#, nil, nil), ("/auth/signin/x", "{}", nil, nil),
        ] as [(String, String?, String?, String?)])
    func mapping(path: String, body: String?, authorization: String?, function: String?) async throws {
        let lambda = Lambda(200, "{}")
        let response = try await transport(lambda).send(request(path, body, authorization))
        #expect(response.status == 200)
        let sent = try #require(lambda.requests.first)
        #expect(lambda.requests.count == 1)
        guard let function else {
            #expect(sent.url == Self.server + path && sent.headers[.authorization] == authorization)
            return
        }
        let place = "https://lambda.eu-central-1.amazonaws.com/2015-03-31/functions"
        #expect(sent.url == "\(place)/photolala-\(function)-stage/invocations")
        guard case .bytes(let bytes) = sent.body else {
            Issue.record("the event is missing")
            return
        }
        let event = try JSONSerialization.jsonObject(with: Data(bytes.readableBytesView)) as? [String: String]
        var expected = body.flatMap { try? JSONDecoder().decode([String: String].self, from: Data($0.utf8)) } ?? [:]
        if authorization != nil {
            (expected["serviceUserID"], expected["accessToken"]) = (UserID.bob.description, Self.token)
        }
        #expect(event == expected)
        #expect(isSigned(sent, Data(bytes.readableBytesView)))
    }

    private func isSigned(_ request: TransportRequest, _ body: Data) -> Bool {
        guard let field = request.headers[.authorization],
            let authorization = try? ParsedAuthorization(header: field, date: request.headers[.amzDate])
        else { return false }
        var headers = request.headers
        headers[.authorization] = nil
        let parts = request.url.split(separator: "/", maxSplits: 2)
        let host = String(parts[1])
        let signable = SignableRequest(method: "POST", host: host, path: "/\(parts[2])", headers: headers)
        return SignatureVerifier(pathNormalization: .standard).verify(
            authorization, of: signable, payload: .of(body), secretAccessKey: Self.secret) != nil
    }

    @Test(
        "errors of AWS are typed",
        arguments: [
            (403, "AccessDeniedException:http://x/", .embeddedCredentialsRejected, 403),
            (404, "ResourceNotFoundException", .embeddedCredentialsRejected, 403),
            (409, "ResourceConflictException", .temporarilyUnavailable, 503),
            (429, "TooManyRequestsException", .rateLimited, 429), (502, nil, .temporarilyUnavailable, 503),
        ] as [(Int, String?, ErrorCode, Int)])
    func refusals(status: Int, type: String?, code: ErrorCode, expected: Int) async throws {
        var headers: HTTPFields = [:]
        if let name = HTTPField.Name("x-amzn-ErrorType") { headers[name] = type }
        if status == 429 { headers[.retryAfter] = "7" }
        let response = try await transport(Lambda(status, "<secret>", headers)).send(request("/auth/signin", "{}"))
        let bytes = Data(try await response.collect(limit: 1 << 16).readableBytesView)
        let problem = try WireJSON.decoder().decode(Problem.self, from: bytes)
        #expect((response.status, problem.status, problem.code) == (expected, expected, code))
        #expect(response.headers[.retryAfter] == (status == 429 ? "7" : nil))
        #expect(!problem.detail.contains("secret") && problem.detail.contains("photolala-auth-AuthenticateUser-stage"))
        if let type { #expect(status == 429 || problem.detail.contains(type.prefix { $0 != ":" })) }
    }

    @Test func `a function error is the API's error, and one of Lambda leaves the outcome open`() async throws {
        var headers: HTTPFields = [:]
        headers[try #require(HTTPField.Name("X-Amz-Function-Error"))] = "Unhandled"
        let problem = Problem(
            title: "Not Found", status: 404, detail: "No account.", code: .noAccountFound, requestID: "r",
            pendingIdentity: "sealed")
        let text = String(decoding: try WireJSON.encoder().encode(problem), as: UTF8.self)
        let lambda = Lambda(
            200, #"{"errorType":"no_account_found","errorMessage":"m","problem":\#(text),"retryAfter":30}"#, headers)
        let response = try await transport(lambda).send(request("/auth/signin", "{}"))
        #expect(response.status == 404 && response.headers[.contentType] == "application/problem+json")
        #expect(response.headers[.retryAfter] == "30")
        let bytes = Data(try await response.collect(limit: 1 << 16).readableBytesView)
        #expect(try WireJSON.decoder().decode(Problem.self, from: bytes) == problem)
        let ended = try transport(Lambda(200, #"{"errorType":"Sandbox.Timedout"}"#, headers))
        await #expect(throws: TransportError.connectionLost("Sandbox.Timedout")) {
            _ = try await ended.send(request("/auth/signin", "{}"))
        }
    }
}
