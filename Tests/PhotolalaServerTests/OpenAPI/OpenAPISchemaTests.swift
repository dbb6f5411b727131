import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotolalaServer

/// The schemas of the OpenAPI document and the types of bodies and responses.
@Suite struct OpenAPISchemaTests {
    private let document: APIDocument

    init() throws { document = try APIDocument.served.get() }

    @Test func `bodies and responses have the members of their types`() async throws {
        for route in try await OpenAPIRouteTests.mountedAPI().routes {
            let operation = try #require(document.operations.first { $0.name == route.name })
            if route.caller != .app { try expectBody(of: operation, route) }
            for (status, response) in try document.responses(of: operation) where status < 300 {
                guard route.answer != EmptyBody.self else {
                    if route.caller != .handler { #expect(response["content"] == nil, "\(route.name) \(status)") }
                    continue
                }
                guard route.answer != Data.self else {
                    expectImages(response["content"], "\(route.name)")
                    continue
                }
                try expect(
                    response["content"]?["application/json"]?["schema"], is: route.answer, false, "\(route.name)")
            }
        }
    }

    private func expectBody(of operation: APIDocument.Operation, _ route: MountedRoute) throws {
        let body = operation.value["requestBody"]
        guard route.body != EmptyBody.self else {
            if route.caller != .handler { #expect(body == nil, "\(route.name)") }
            return
        }
        guard route.body != Data.self else { return expectImages(body?["content"], "\(route.name)") }
        let isOptional = route.name == "POST /auth/signout"
        #expect(body?["required"] == .bool(!isOptional), "\(route.name)")
        try expect(body?["content"]?["application/json"]?["schema"], is: route.body, true, "\(route.name)")
    }

    private func expectImages(_ content: DocumentValue?, _ path: String) {
        #expect(Set(content?.object?.keys.map(\.self) ?? []) == ["image/jpeg", "image/png", "image/webp"], "\(path)")
    }

    @Test func `error documents have the members of their types`() throws {
        let general = Set(try document.schema("Problem")["properties"]?.object?.keys.map(\.self) ?? [])
        let parts = try SchemaCheck(document: document).flattened(try document.schema("NoAccountProblem"))
        let all = Set(parts.flatMap { ($0["properties"]?.object ?? [:]).keys })
        #expect(all == Set(try json(of: Problem.self, true).keys))
        #expect(general == Set(try json(of: Problem.self, false).keys))
        #expect(Set(try document.schema("Problem")["required"]?.strings ?? []) == general)
    }

    /// Compares a schema with a type and the types of its members.
    private func expect(
        _ schema: DocumentValue?, is type: any Decodable.Type, _ isRequest: Bool, _ path: String
    ) throws {
        let schema = try #require(schema, "\(path)")
        if !String(describing: type).contains("<"), let name = APIDocument.name(schema) {
            #expect(name == String(describing: type), "\(path)")
        }
        let members = Set(try json(of: type, true).keys)
        let needed = Set(try json(of: type, false).keys)
        let types = try memberTypes(of: type)
        // A body may have several forms. Each has all members; those that it does not use can be null.
        let forms = try document.resolved(schema)["oneOf"]?.array ?? [schema]
        for form in forms {
            let form = try document.resolved(form)
            let required = Set(form["required"]?.strings ?? [])
            #expect(Set(form["properties"]?.object?.keys.map(\.self) ?? []) == members, "\(path)")
            #expect(forms.count == 1 ? required == needed : required.isSuperset(of: needed), "\(path)")
            for (name, member) in form["properties"]?.object ?? [:] {
                let isNullable = isRequest || type == Profile.self ? !required.contains(name) : false
                #expect(try self.isNullable(member) == isNullable, "\(path).\(name) may be null")
                guard member["type"] != .string("null") else { continue }
                let memberType = try #require(types[name], "\(path).\(name)")
                try expectMember(member, is: memberType, types["\(name).[]"], isRequest, "\(path).\(name)")
            }
        }
    }

    private func expectMember(
        _ schema: DocumentValue, is type: Any.Type, _ element: Any.Type?, _ isRequest: Bool, _ path: String
    ) throws {
        let schema = schema["anyOf"]?.array?.first { $0["type"] != .string("null") } ?? schema
        let flat = try SchemaCheck(document: document).flattened(schema)
        func keyword(_ name: String) -> DocumentValue? { flat.lazy.compactMap { $0[name] }.first }
        let types = keyword("type").map { $0.string.map { [$0] } ?? $0.strings }?.filter { $0 != "null" }
        func expectType(_ name: String) { #expect(types == [name], "\(path)") }
        switch type {
        case is String.Type:
            expectType("string")
            #expect(keyword("format") == nil || keyword("format") == .string("uri"), "\(path)")
        case is Bool.Type: expectType("boolean")
        case is Int.Type:
            expectType("integer")
            #expect(keyword("format") == nil, "\(path)")
        case is Int64.Type:
            expectType("integer")
            #expect(keyword("format") == .string("int64"), "\(path)")
        case is Double.Type: expectType("number")
        case is Date.Type: #expect(APIDocument.name(schema) == "Timestamp", "\(path)")
        case is Data.Type: #expect(keyword("contentEncoding") == .string("base64"), "\(path)")
        case is ProviderName.Type: #expect(APIDocument.name(schema) == "ProviderName", "\(path)")
        case is CountryCode.Type: #expect(APIDocument.name(schema) == "CountryCode", "\(path)")
        case is any UUIDIdentifier.Type: #expect(keyword("format") == .string("uuid"), "\(path)")
        case is [String: String].Type:
            #expect(keyword("additionalProperties")?["type"] == .string("string"), "\(path)")
        case is [String: PreferenceValue].Type:
            #expect(keyword("additionalProperties")?["type"]?.strings == ["string", "boolean", "number"], "\(path)")
        case let type as any (CaseIterable & RawRepresentable<String>).Type:
            // `upload` is never issued to a client.
            let values = Self.values(of: type).filter { $0 != StorageAccessLevel.upload.rawValue }
            if let value = keyword("const")?.string {
                #expect(values.contains(value), "\(path)")
            } else {
                #expect(Set(keyword("enum")?.strings ?? []) == Set(values), "\(path)")
            }
        case let type as any (RawRepresentable<String>).Type:
            let values = try Self.wireNames(of: "\(type)")
            #expect(!values.isEmpty && Set(keyword("x-extensible-enum")?.strings ?? []) == values, "\(path)")
        default:
            if let element {
                expectType("array")
                let items = try #require(keyword("items"), "\(path)")
                try expectMember(items, is: element, nil, isRequest, "\(path)[]")
            } else {
                let type = try #require(type as? any Decodable.Type, "\(path)")
                try expect(schema, is: Self.unwrapped(type), isRequest, path)
            }
        }
    }

    private func isNullable(_ schema: DocumentValue) throws -> Bool {
        try SchemaCheck(document: document).flattened(schema).contains { part in
            part["type"]?.strings.contains("null") ?? false || part["type"] == .string("null")
                || part["anyOf"]?.array?.contains { $0["type"] == .string("null") } ?? false
        }
    }

    @Test func `every schema is used`() throws {
        var used: Set<String> = []
        func visit(_ value: DocumentValue) {
            if let name = APIDocument.name(value), used.insert(name).inserted, let schema = try? document.schema(name) {
                visit(schema)
            }
            for part in value.object?.values.map(\.self) ?? value.array ?? [] { visit(part) }
        }
        for operation in document.operations { visit(operation.value) }
        visit(try #require(document.root["components"]?["responses"]))
        let schemas = try #require(document.root["components"]?["schemas"]?.object)
        #expect(Set(schemas.keys).subtracting(used) == [])
    }

    @Test func `the examples of schemas match them`() throws {
        let check = SchemaCheck(document: document)
        var count = 0
        for (name, schema) in try #require(document.root["components"]?["schemas"]?.object) {
            for example in schema["examples"]?.array ?? [] {
                #expect(try check.problems(example, schema) == [], "\(name)")
                count += 1
            }
        }
        #expect(count > 10)
    }

    // MARK: Types

    private func json(of type: any Decodable.Type, _ hasOptionals: Bool) throws -> [String: DocumentValue] {
        guard let value = try ExampleDecoder(hasOptionals: hasOptionals).example(type) as? any Encodable else {
            throw DocumentError("\(type) is not encodable")
        }
        let json = try DocumentValue(json: try WireJSON.encoder().encode(value))
        guard let members = json.object else { throw DocumentError("\(type) is not an object") }
        return members
    }

    /// Returns the types of the members and, with `.[]`, of their elements.
    private func memberTypes(of type: any Decodable.Type) throws -> [String: Any.Type] {
        let decoder = ExampleDecoder(hasOptionals: true)
        _ = try decoder.example(type)
        let pairs = decoder.types.byPath.compactMap { path, type in
            path.hasPrefix("$.") ? (String(path.dropFirst(2)), type) : nil
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private static func unwrapped(_ type: any Decodable.Type) -> any Decodable.Type {
        (type as? any OptionalType.Type)?.wrapped ?? type
    }

    private static func values(of type: (some CaseIterable & RawRepresentable<String>).Type) -> [String] {
        type.allCases.map(\.rawValue)
    }

    /// Returns the values of an enumeration that may grow, from its source: they are constants, which cannot be listed.
    static func wireNames(of type: String) throws -> Set<String> {
        let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../../Sources/PhotolalaAPI").standardized
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let pattern = try Regex(#"= \#(type)\((?:rawValue: )?"([^"]+)"\)"#, as: (Substring, Substring).self)
        var names: Set<String> = []
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            names.formUnion(try String(contentsOf: file, encoding: .utf8).matches(of: pattern).map { String($0.1) })
        }
        return names
    }
}

private protocol OptionalType {
    static var wrapped: (any Decodable.Type)? { get }
}

extension Optional: OptionalType {
    fileprivate static var wrapped: (any Decodable.Type)? { Wrapped.self as? any Decodable.Type }
}
