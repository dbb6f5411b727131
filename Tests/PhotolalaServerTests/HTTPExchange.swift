import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PhotolalaAPI
import PhotolalaServer
import PhotolalaTesting
import Testing
import UseCases

/// The client of a test's server.
struct HTTPExchange {
    let client: any TestClientProtocol

    /// Sends JSON and returns the raw response.
    func send(
        _ method: HTTPRequest.Method, _ path: String, json: String? = nil, token: String? = nil,
        headers extra: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = extra
        if json != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await client.execute(
            uri: path, method: method, headers: headers, body: json.map { ByteBuffer(string: $0) }
        )
    }

    /// Sends an encoded request body.
    func post(_ path: String, _ body: some Encodable, token: String? = nil) async throws -> TestResponse {
        let json = String(decoding: try WireJSON.encoder().encode(body), as: UTF8.self)
        return try await send(.post, path, json: json, token: token)
    }

    /// Returns a problem document after checking its form.
    func problem(_ response: TestResponse) throws -> Problem {
        #expect(response.headers[.contentType] == "application/problem+json")
        let problem = try WireJSON.decoder().decode(Problem.self, from: Data(response.body.readableBytesView))
        #expect(problem.status == response.status.code)
        return problem
    }

    func answer<Answer: Decodable>(_ response: TestResponse, as type: Answer.Type = Answer.self) throws -> Answer {
        try WireJSON.decoder().decode(type, from: Data(response.body.readableBytesView))
    }
}

extension TestService {
    /// Returns a service whose accounts have 20 calls, and one more after each three seconds.
    static func withFewCalls() async throws -> TestService {
        var options = Options()
        options.callRates = CallRates(address: 0, identity: 0, total: 0, account: 20)
        return try await make(options)
    }

    /// Runs a test against this service's router. Every response is compared with the OpenAPI document.
    func exchange(
        _ brand: ServiceBrand = .standard, _ test: @Sendable (HTTPExchange) async throws -> Void
    ) async throws {
        let settings = ServerSettings(host: "127.0.0.1", port: 0, publicURL: Self.publicURL, brand: brand)
        try await server(settings).test(.router) {
            try await test(HTTPExchange(client: ContractCheckingClient(client: $0)))
        }
    }
}
