import Foundation
import HTTPTypes
import Hummingbird
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

@testable import PhotolalaServer

/// The operations of the OpenAPI document and the mounted routes.
@Suite struct OpenAPIRouteTests {
    /// The service has everything that mounts a route.
    static func mountedAPI() async throws -> (routes: [MountedRoute], router: Router<ServerContext>) {
        let store = try TestAppStore(clock: TestClock())
        let service = try await TestService.make(try store.options())
        let router = Router(context: ServerContext.self)
        let endpoints = Endpoints(
            router: router, services: service.services, exchange: JSONExchange(limit: 1 << 10),
            credentials: RequestCredentials(publicURL: TestService.publicURL))
        endpoints.mountAPI(publicURL: TestService.publicURL)
        return (endpoints.routes, router)
    }

    @Test func `the operations of the document are the mounted routes`() async throws {
        let document = try APIDocument.served.get()
        let (routes, router) = try await Self.mountedAPI()
        #expect(Set(document.operations.map(\.name)) == Set(routes.map(\.name)))
        #expect(document.operations.count == routes.count)
        // A route that is mounted past `Endpoints` would not be in the list.
        #expect(Set(router.routes.map { "\($0.path)" }) == Set(routes.map(\.path)))
    }

    @Test func `the document has the version of the programs and distinct operation ids`() throws {
        let document = try APIDocument.served.get()
        #expect(document.root["openapi"]?.string == "3.1.0")
        #expect(document.root["info"]?["version"]?.string == PhotolalaVersion.current)
        #expect(Set(document.operations.map { $0.value["operationId"]?.string }).count == document.operations.count)
    }

    @Test func `each operation has the parameters of its path, and all references resolve`() throws {
        let document = try APIDocument.served.get()
        for operation in document.operations {
            let parameters = try (operation.value["parameters"]?.array ?? []).map(document.resolved)
            let named = parameters.filter { $0["in"] == .string("path") }.compactMap { $0["name"]?.string }
            let parts = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }
            #expect(named == parts.map { String($0.dropFirst().dropLast()) }, "\(operation.name)")
        }
        try expectReferences(document.root, document)
    }

    private func expectReferences(_ value: DocumentValue, _ document: APIDocument) throws {
        if value["$ref"]?.string != nil { _ = try document.resolved(value) }
        for part in value.object?.values.map(\.self) ?? value.array ?? [] { try expectReferences(part, document) }
    }

    @Test func `authentication in the document is that of the routes`() async throws {
        let document = try APIDocument.served.get()
        let device: DocumentValue? = nil
        let proof = try DocumentValue(yaml: "[{}, {dpopProof: []}]")
        let handlers: [String: DocumentValue?] = [
            "POST /auth/challenge": try DocumentValue(yaml: "[{}, {bearer: []}, {dpop: [], dpopProof: []}]"),
            "POST /auth/signout": try DocumentValue(
                yaml: "[{bearer: []}, {dpop: [], dpopProof: []}, {}, {dpopProof: []}]"),
            "GET /account/export/{id}": device, "GET /users/{serviceUserID}/picture": device,
            "PUT /users/{serviceUserID}/picture": device,
        ]
        #expect(
            document.root["security"]
                == (try DocumentValue(yaml: "[{bearer: []}, {dpop: [], dpopProof: []}, {apps: []}]")))
        for route in try await Self.mountedAPI().routes {
            let operation = try #require(document.operations.first { $0.name == route.name })
            let expected: DocumentValue? =
                switch route.caller {
                case .device: device
                case .anyone, .app: proof
                case .handler: try handlers[route.name] ?? DocumentValue(yaml: "[{}]")
                }
            #expect(operation.value["security"] == expected, "\(route.name)")
            let codes = Set(try document.responses(of: operation)[401].map { try document.errorCodes($0) } ?? [])
            switch route.caller {
            case .device:
                #expect(
                    codes.isSuperset(of: ["unauthorized", "session_ended", "use_dpop_nonce", "invalid_dpop_proof"]),
                    "\(route.name)")
            case .anyone: #expect(codes.contains("invalid_dpop_proof"), "\(route.name)")
            case .app, .handler: break
            }
        }
    }

    @Test func `each operation has the statuses of its kind of route`() async throws {
        let document = try APIDocument.served.get()
        let created = ["POST /auth/signup": Set([201]), "POST /auth/continue": [200, 201]]
        for route in try await Self.mountedAPI().routes {
            let operation = try #require(document.operations.first { $0.name == route.name })
            let statuses = Set(try document.responses(of: operation).keys)
            #expect(statuses.isSuperset(of: [400, 421, 429, 500, 503]), "\(route.name)")
            let readsBody = route.caller == .device || operation.value["requestBody"] != nil
            let readsJSON = route.body != EmptyBody.self && route.body != Data.self
            #expect(statuses.intersection([408, 413]) == (readsBody ? [408, 413] : []), "\(route.name)")
            #expect(statuses.contains(415) == readsJSON, "\(route.name)")
            if route.caller == .device || route.caller == .anyone {
                let success = created[route.name] ?? (route.answer == EmptyBody.self ? [204] : [200])
                #expect(statuses.filter { $0 < 300 } == success, "\(route.name)")
            }
        }
    }

    @Test func `the document is served as YAML that clients may keep`() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let response = try await http.send(.get, "/openapi.yaml")
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "application/yaml")
            #expect(response.headers[.cacheControl] == "public, max-age=300")
            #expect(String(buffer: response.body).hasPrefix("openapi: 3.1.0\n"))
        }
    }
}

extension MountedRoute {
    var name: String { "\(method.rawValue) \(path)" }
}
