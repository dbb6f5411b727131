import AWSServices
import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import S3Protocol
import Secrets
import Transport

/// A person with an app that calls a real server.
struct Person: Sendable {
    let subject: String
    let device: DeviceDescription
    let transport: any HTTPTransport

    init(_ number: Int, transport: any HTTPTransport) {
        self.init(subject: "person-\(number)", device: TestService.device(number), transport: transport)
    }

    private init(subject: String, device: DeviceDescription, transport: any HTTPTransport) {
        self.subject = subject
        self.device = device
        self.transport = transport
    }

    /// Returns the same person with another device.
    func onDevice(_ number: Int) -> Person {
        Person(subject: subject, device: TestService.device(number), transport: transport)
    }

    /// Sends a call and returns the status and body of the response.
    func call(
        _ url: String, method: HTTPRequest.Method = .post, json: String? = nil, token: String? = nil
    ) async throws -> (status: Int, body: Data) {
        var headers: HTTPFields = [:]
        if json != nil { headers[.contentType] = "application/json" }
        if let token { headers[.authorization] = "Bearer \(token)" }
        let response = try await transport.send(
            TransportRequest(
                method: method, url: url, headers: headers,
                body: json.map { .bytes(ByteBuffer(string: $0)) } ?? .none, timeout: .seconds(60)
            )
        )
        let body = try await response.collect(limit: 1 << 20)
        return (response.status, Data(body.readableBytesView))
    }

    /// Returns a token from the development provider.
    func token(at server: String, email: String? = nil) async throws -> String {
        struct Answer: Decodable { let idToken: String }
        let answer = try await call(
            "\(server)/dev/providers/apple/token",
            json: String(
                decoding: try JSONEncoder().encode(["subject": subject, "email": email].compactMapValues(\.self)),
                as: UTF8.self))
        return try JSONDecoder().decode(Answer.self, from: answer.body).idToken
    }

    /// Signs up; returns `nil` unless the server responds with 201.
    func signUp(at server: String, token: String) async throws -> SignedIn? {
        let answer = try await requestSignUp(at: server, token: token)
        return answer.status == 201 ? try WireJSON.decoder().decode(SignedIn.self, from: answer.body) : nil
    }

    /// Signs up and returns the status of the response.
    func signUpStatus(at server: String, token: String) async throws -> Int {
        try await requestSignUp(at: server, token: token).status
    }

    private func requestSignUp(at server: String, token: String) async throws -> (status: Int, body: Data) {
        let request = SignUpRequest(provider: .apple, idToken: token, device: device)
        return try await call("\(server)/auth/signup", json: try text(request))
    }

    func signIn(at server: String) async throws -> SignedIn {
        let request = SignInRequest(provider: .apple, idToken: try await token(at: server), device: device)
        let answer = try await call("\(server)/auth/signin", json: try text(request))
        guard answer.status == 200 else {
            throw ConformanceFailure(
                "\(subject) signs in and gets \(answer.status): \(String(decoding: answer.body, as: UTF8.self))")
        }
        return try WireJSON.decoder().decode(SignedIn.self, from: answer.body)
    }

    /// Refreshes; returns `nil` unless the server responds with 200.
    func refresh(_ token: String, at server: String) async throws -> Session? {
        let answer = try await call("\(server)/auth/refresh", json: try text(RefreshRequest(refreshToken: token)))
        return answer.status == 200
            ? try WireJSON.decoder().decode(SessionResponse.self, from: answer.body).session : nil
    }

    /// Returns the person's own storage, with credentials of this session.
    func storage(at server: String, _ session: Session) async throws -> S3ObjectStore {
        let answer = try await call("\(server)/auth/credentials", token: session.accessToken)
        let given = try WireJSON.decoder().decode(StorageCredentials.self, from: answer.body)
        guard let settings = S3Settings(endpoint: given.endpoint, region: given.region, bucket: given.bucket) else {
            throw ConformanceFailure("unusable endpoint \(given.endpoint)")
        }
        return S3ObjectStore(
            settings: settings,
            credentials: StaticCredentials(
                AWSCredentials(
                    accessKeyID: given.accessKeyID, secretAccessKey: given.secretAccessKey,
                    sessionToken: given.sessionToken
                )
            ),
            transport: transport, pause: Backoff(randomness: .seeded(7)) { _ in }, now: { Date() }
        )
    }

    private func text(_ body: some Encodable) throws -> String {
        String(decoding: try WireJSON.encoder().encode(body), as: UTF8.self)
    }
}
