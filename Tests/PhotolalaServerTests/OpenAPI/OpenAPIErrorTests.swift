import HTTPTypes
import Hummingbird
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

@testable import PhotolalaServer

/// The statuses and codes of the OpenAPI document and the server's table of errors.
@Suite struct OpenAPIErrorTests {
    private let document: APIDocument

    init() throws { document = try APIDocument.served.get() }

    /// The responses of all operations and of the components.
    private func allResponses() throws -> [(status: Int, response: DocumentValue)] {
        let shared = try #require(document.root["components"]?["responses"]?.object)
        // The components have no status of their own: `MethodNotAllowed` is the only one that no operation uses.
        let refused = try #require(shared["MethodNotAllowed"])
        return try document.operations.flatMap { try document.responses(of: $0).map { ($0.key, $0.value) } }
            + [(405, refused)]
    }

    private func documented(_ member: String) throws -> Set<String> {
        Set(
            try allResponses().flatMap { status, response in
                try document.errorCodes(response, member).map { "\(status) \($0)" }
            })
    }

    @Test func `problems have the statuses and codes of the table`() throws {
        let statuses: [HTTPResponse.Status] = [
            .badRequest, .notFound, .requestTimeout, .contentTooLarge, .unsupportedMediaType, .misdirectedRequest,
            .internalServerError,
        ]
        let answers =
            statuses.map { ErrorMapping.errorResponse(to: HTTPError($0)) }
            // Only OAuth endpoints ask for a client.
            + ServiceError.examples.filter { $0 != .unknownApp }.map { ErrorResponse($0) }
        let table = Set(answers.map { "\($0.status.code) \($0.code)" } + ["405 method_not_allowed"])
        let problems = try documented("code")
        #expect(problems == table, "\(problems.symmetricDifference(table))")
        let codes = Set(try document.schema("ErrorCode")["enum"]?.strings ?? [])
        #expect(codes == Set(answers.map(\.code.rawValue) + ["method_not_allowed"]))
        #expect(codes == (try OpenAPISchemaTests.wireNames(of: "ErrorCode")))
    }

    @Test func `OAuth errors have the statuses and codes of the table`() throws {
        let errors = ServiceError.examples.flatMap { error in
            [true, false].map { OAuthError(error, isWaitingDevice: $0) }
        }
        let table = Set(errors.map { "\($0.status.code) \($0.code)" })
        let documented = try documented("error")
        let http = Set(["400", "408", "413"].map { "\($0) invalid_request" } + ["500 server_error"])
        #expect(documented.subtracting(table).subtracting(http) == [])
        let codes = Set(documented.compactMap { $0.split(separator: " ").last })
        #expect(codes == Set(errors.map { Substring($0.code) }))
    }

    @Test func `each problem of an operation has a closed list of codes`() throws {
        for operation in document.operations {
            for (status, response) in try document.responses(of: operation) where status >= 400 {
                let problem =
                    response["content"]?["application/problem+json"] ?? response["content"]?["application/json"]
                guard problem != nil else {
                    #expect(status == 416, "\(operation.name)")
                    continue
                }
                let codes = try document.errorCodes(response) + document.errorCodes(response, "error")
                #expect(!codes.isEmpty && Set(codes).count == codes.count, "\(operation.name) \(status)")
            }
        }
    }

    @Test func `a form with all of its required parameters is read, and without one it is refused`()
        async throws
    {
        let service = try await TestService.make()
        let check = SchemaCheck(document: document)
        try await service.exchange { http in
            func code(_ path: String, _ form: [String: String]) async throws -> String? {
                let text = form.map { "\($0)=\($1)" }.joined(separator: "&")
                let response = try await http.client.execute(
                    uri: path, method: .post, headers: [.contentType: "application/x-www-form-urlencoded"],
                    body: .init(string: text))
                guard response.status != .ok else { return nil }
                return try DocumentValue(json: .init(response.body.readableBytesView))["error"]?.string
            }
            var count = 0
            for operation in document.operations
            where ["/token", "/revoke", "/device_authorization"].contains(operation.path) {
                let name = try #require(document.bodyName(of: operation, "application/x-www-form-urlencoded"))
                let schema = try document.schema(name)
                for variant in schema["oneOf"]?.array ?? [schema] {
                    let parts = try check.flattened(variant)
                    let required = Set(parts.flatMap { $0["required"]?.strings ?? [] })
                    var form = Dictionary(uniqueKeysWithValues: required.map { ($0, "photolala") })
                    for part in parts {
                        if let grant = part["properties"]?["grant_type"]?["const"]?.string {
                            form["grant_type"] = grant
                        }
                    }
                    let complete = try await code(operation.path, form)
                    #expect(complete != "invalid_request" && complete != "invalid_client", "\(form)")
                    for name in required {
                        let refusals = ["invalid_request", "invalid_client", "unsupported_grant_type"]
                        let refusal = try await code(operation.path, form.filter { $0.key != name })
                        #expect(refusal.map(refusals.contains) == true, "\(operation.path) without \(name)")
                        count += 1
                    }
                }
            }
            #expect(count == 14)
        }
    }
}
