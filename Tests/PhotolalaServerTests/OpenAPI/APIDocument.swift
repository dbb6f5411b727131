import Foundation
import HTTPTypes

@testable import PhotolalaServer

/// The OpenAPI document that the server serves.
struct APIDocument: Sendable {
    /// A method of a path.
    struct Operation: Sendable {
        let method: String
        let path: String
        let value: DocumentValue
        var name: String { "\(method) \(path)" }
    }

    let root: DocumentValue
    let operations: [Operation]

    /// The served document.
    static let served = Result { try APIDocument(yaml: String(decoding: WellKnownRoutes.apiDocument, as: UTF8.self)) }

    init(yaml: String) throws {
        root = try DocumentValue(yaml: yaml)
        guard let paths = root["paths"]?.object else { throw DocumentError("no paths") }
        operations = try paths.flatMap { path, methods in
            guard let methods = methods.object else { throw DocumentError("\(path): no methods") }
            return methods.map { Operation(method: $0.uppercased(), path: path, value: $1) }
        }
    }

    /// Returns the operation of a request; `nil` if none is documented.
    func operation(_ method: HTTPRequest.Method, _ uri: String) -> Operation? {
        let path = uri.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
        let candidates = operations.filter { operation in
            let parts = operation.path.split(separator: "/", omittingEmptySubsequences: false)
            return operation.method == method.rawValue && parts.count == path.count
                && zip(parts, path).allSatisfy { $0 == $1 || $0.hasPrefix("{") && !$1.isEmpty }
        }
        // A literal path precedes one with a parameter.
        return candidates.min { $0.path.filter { $0 == "{" }.count < $1.path.filter { $0 == "{" }.count }
    }

    /// Follows a reference, which may have a description beside it.
    func resolved(_ value: DocumentValue) throws -> DocumentValue {
        guard let reference = value["$ref"]?.string else { return value }
        var found: DocumentValue? = root
        for name in reference.dropFirst(2).split(separator: "/") { found = found?[String(name)] }
        guard let found else { throw DocumentError("no \(reference)") }
        return try resolved(found)
    }

    /// Returns a schema of the components.
    func schema(_ name: String) throws -> DocumentValue {
        guard let schema = root["components"]?["schemas"]?[name] else { throw DocumentError("no schema \(name)") }
        return schema
    }

    /// Returns the responses of an operation by status.
    func responses(of operation: Operation) throws -> [Int: DocumentValue] {
        let responses = operation.value["responses"]?.object ?? [:]
        return try Dictionary(
            uniqueKeysWithValues: responses.map { status, response in
                guard let code = Int(status) else { throw DocumentError("\(operation.name): status \(status)") }
                return (code, try resolved(response))
            })
    }

    /// Returns the error codes that a response may have: of `code` or, in OAuth errors, of `error`.
    func errorCodes(_ response: DocumentValue, _ member: String = "code") throws -> [String] {
        try (response["content"]?.object ?? [:]).values.flatMap { media in
            try media["schema"].map { try SchemaCheck(document: self).flattened($0) }?
                .flatMap { $0["properties"]?[member]?["enum"]?.strings ?? [] } ?? []
        }
    }

    /// Returns the name of a body's schema.
    func bodyName(of operation: Operation, _ media: String = "application/json") -> String? {
        Self.name(operation.value["requestBody"]?["content"]?[media]?["schema"])
    }

    /// Returns the name of a response's schema.
    func answerName(_ response: DocumentValue) -> String? {
        Self.name(response["content"]?["application/json"]?["schema"])
    }

    static func name(_ schema: DocumentValue?) -> String? {
        schema?["$ref"]?.string?.split(separator: "/").last.map(String.init)
    }
}
