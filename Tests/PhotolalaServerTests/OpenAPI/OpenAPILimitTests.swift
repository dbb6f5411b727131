import Foundation
import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotolalaServer

/// The limits of requests in the OpenAPI document and what the server accepts: each limit, and nothing beyond it.
@Suite struct OpenAPILimitTests {
    private let document: APIDocument

    init() throws { document = try APIDocument.served.get() }

    private static let keywords = [
        "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "maxProperties",
    ]

    /// Returns all limits of request bodies and parameters, as `Schema.member keyword`.
    private func limits() throws -> [String: Int] {
        var limits: [String: Int] = [:]
        var visited: Set<String> = []
        func visit(_ schema: DocumentValue, _ path: String) throws {
            for keyword in Self.keywords { limits["\(path) \(keyword)"] = schema[keyword]?.integer }
            if let name = APIDocument.name(schema), visited.insert(name).inserted {
                try visit(try document.resolved(schema), name)
            }
            for (name, member) in schema["properties"]?.object ?? [:] { try visit(member, "\(path).\(name)") }
            for (keyword, part) in [("items", "[]"), ("additionalProperties", "*")] {
                if let inner = schema[keyword] { try visit(inner, "\(path).\(part)") }
            }
            for keyword in ["oneOf", "anyOf", "allOf"] {
                for part in schema[keyword]?.array ?? [] { try visit(part, path) }
            }
        }
        for operation in document.operations {
            for media in operation.value["requestBody"]?["content"]?.object?.values.map(\.self) ?? [] {
                try visit(try #require(media["schema"]), operation.name)
            }
            for parameter in operation.value["parameters"]?.array ?? [] {
                let parameter = try document.resolved(parameter)
                try visit(try #require(parameter["schema"]), "\(operation.name) \(parameter["name"]?.string ?? "")")
            }
        }
        return limits
    }

    @Test func `every limit is the server's`() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        try await service.exchange { http in
            let probes = LimitProbes(service: service, http: http, bob: bob)
            var probed: Set<String> = []
            for (limit, value) in try limits() {
                guard let accepts = probes.byLimit[limit] else {
                    Issue.record("\(limit): no probe")
                    continue
                }
                let beyond = limit.contains(" max") ? value + 1 : value - 1
                #expect(try await accepts(value), "\(limit): \(value)")
                #expect(try await !accepts(beyond), "\(limit): \(beyond)")
                probed.insert(limit)
            }
            #expect(probed == Set(probes.byLimit.keys))
        }
    }

    @Test func `the confirmation and the largest body are the server's`() throws {
        let confirmation = try document.schema("DeletionRequest")["properties"]?["confirmation"]?["const"]
        #expect(confirmation == .string(DeletionRequest.confirmationText))
        let tooLarge = document.root["components"]?["responses"]?["BodyTooLarge"]?["description"]?.string
        #expect(ServerSettings(host: "", port: 0, publicURL: "").bodyLimit == 128 << 10)
        #expect(tooLarge?.contains("128 KiB") == true)
    }
}
