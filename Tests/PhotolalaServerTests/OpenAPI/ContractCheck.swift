import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

/// A test client that compares every response with the OpenAPI document: its status, content type, headers, error code
/// and body.
struct ContractCheckingClient: TestClientProtocol {
    let client: any TestClientProtocol
    var port: Int? { client.port }

    func executeRequest(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields, body: ByteBuffer?
    ) async throws -> TestResponse {
        let response = try await client.executeRequest(uri: uri, method: method, headers: headers, body: body)
        let document = try APIDocument.served.get()
        if let operation = document.operation(method, uri) {
            for problem in try document.problems(of: response, to: operation) {
                Issue.record("\(operation.name) \(response.status.code): \(problem)")
            }
        }
        return response
    }
}

extension APIDocument {
    /// Returns how a response to an operation differs from the document.
    func problems(of response: TestResponse, to operation: Operation) throws -> [String] {
        let body = Data(response.body.readableBytesView)
        guard let documented = try responses(of: operation)[response.status.code] else {
            return ["undocumented status: \(String(decoding: body.prefix(300), as: UTF8.self))"]
        }
        var problems: [String] = []
        for (name, header) in documented["headers"]?.object ?? [:] {
            let text = HTTPField.Name(name).flatMap { response.headers[$0] }
            let isRequired = try resolved(header)["required"] == .bool(true)
            // An integer in a header is text.
            let schema = try resolved(header)["schema"]
            guard let text else {
                if isRequired { problems.append("missing header \(name)") }
                continue
            }
            let value = schema?["type"] == .string("integer") ? Int(text).map(DocumentValue.integer) : .string(text)
            if let schema { problems += try SchemaCheck(document: self).problems(value ?? .null, schema, at: name) }
        }
        let type = response.headers[.contentType]?.prefix { $0 != ";" }
        guard let content = documented["content"]?.object else {
            return problems + (body.isEmpty ? [] : ["undocumented content"])
        }
        guard let type, let media = content[String(type)] else {
            return problems + ["undocumented content type \(type ?? "-")"]
        }
        if type.hasSuffix("json"), let schema = media["schema"] {
            problems += try SchemaCheck(document: self).problems(try DocumentValue(json: body), schema)
        }
        return problems
    }
}
