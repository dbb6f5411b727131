import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The profile picture over HTTP.
@Suite struct PictureRouteTests {
    private func send(
        _ http: HTTPExchange, _ method: HTTPRequest.Method, _ path: String, _ bytes: [UInt8]? = nil, as bob: SignedIn,
        headers extra: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = extra
        headers[.authorization] = "Bearer \(bob.session.accessToken)"
        return try await http.client.execute(
            uri: path, method: method, headers: headers, body: bytes.map { ByteBuffer(bytes: $0) })
    }

    private func exchange(
        _ test: @Sendable (HTTPExchange, TestService, SignedIn, String) async throws -> Void
    ) async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        try await service.exchange { try await test($0, service, bob, "/users/\(bob.user.serviceUserID)/picture") }
    }

    @Test func `the type of a picture is that of its bytes, whatever the request states`() async throws {
        try await exchange { http, _, bob, path in
            #expect(try await send(http, .get, path, as: bob).status == .notFound)
            let bytes = PhotoBytes.png(width: 8, height: 8)
            let written = try await send(http, .put, path, bytes, as: bob, headers: [.contentType: "text/html"])
            #expect(written.status == .noContent)
            let read = try await send(http, .get, path, as: bob)
            #expect(read.status == .ok && Array(read.body.readableBytesView) == bytes)
            #expect(read.headers[.contentType] == "image/png" && read.headers[.xContentTypeOptions] == "nosniff")
            #expect(read.headers[.cacheControl] == "no-store")
            #expect(read.headers[.eTag] != nil && read.headers[.eTag] == written.headers[.eTag])
        }
    }

    @Test func `an outdated tag changes nothing`() async throws {
        try await exchange { http, _, bob, path in
            let first = try await send(http, .put, path, PhotoBytes.picture(1), as: bob)
            let tag = try #require(first.headers[.eTag])
            let second = PhotoBytes.picture(2)
            #expect(
                try await send(http, .put, path, second, as: bob, headers: [.ifMatch: tag]).status == .noContent)
            for method in [HTTPRequest.Method.put, .delete] {
                let bytes = method == .put ? PhotoBytes.picture(3) : nil
                let stale = try await send(http, method, path, bytes, as: bob, headers: [.ifMatch: tag])
                #expect(stale.status == .preconditionFailed)
                #expect(try http.problem(stale).code == .concurrentModification)
            }
            let malformed = try await send(http, .delete, path, as: bob, headers: [.ifMatch: "x"])
            #expect(malformed.status == .badRequest)
            #expect(try await Array(send(http, .get, path, as: bob).body.readableBytesView) == second)
            for _ in 1...2 { #expect(try await send(http, .delete, path, as: bob).status == .noContent) }
            #expect(try await send(http, .get, path, as: bob).status == .notFound)
        }
    }

    @Test func `a change with If-None-Match is refused and not done`() async throws {
        try await exchange { http, _, bob, path in
            let first = PhotoBytes.picture(1)
            _ = try await send(http, .put, path, first, as: bob)
            for method in [HTTPRequest.Method.put, .delete] {
                let bytes = method == .put ? PhotoBytes.picture(2) : nil
                let refused = try await send(http, method, path, bytes, as: bob, headers: [.ifNoneMatch: "*"])
                #expect(refused.status == .badRequest)
                #expect(try http.problem(refused).code == .invalidRequest)
            }
            #expect(try await Array(send(http, .get, path, as: bob).body.readableBytesView) == first)
        }
    }

    @Test func `what is no small picture is refused`() async throws {
        try await exchange { http, _, bob, path in
            let large = PhotoBytes.picture(1, length: ProfilePictureLimit.bytes + 1)
            let refused = try await send(http, .put, path, large, as: bob)
            #expect(refused.status == .contentTooLarge)
            #expect(try http.problem(refused).code == .bodyTooLarge)
            let wide = PhotoBytes.picture(1, width: ProfilePictureLimit.edge + 1)
            for bytes in [[], Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), Array("GIF89a".utf8), wide] {
                let response = try await send(http, .put, path, bytes, as: bob)
                #expect(response.status == .badRequest)
                #expect(try http.problem(response).code == .invalidRequest)
            }
            #expect(try await send(http, .get, path, as: bob).status == .notFound)
        }
    }

    @Test func `another account can neither replace nor remove the picture`() async throws {
        try await exchange { http, service, bob, path in
            _ = try await send(http, .put, path, PhotoBytes.picture(1), as: bob)
            let eve = try await service.signUp(.google, "eve", device: 2)
            for method in [HTTPRequest.Method.put, .delete] {
                let refused = try await send(
                    http, method, path, method == .put ? PhotoBytes.picture(2) : nil, as: eve)
                #expect(refused.status == .notFound)
            }
            for method in [HTTPRequest.Method.get, .put, .delete] {
                #expect(try await http.send(method, path).status == .unauthorized)
            }
            #expect(try await Array(send(http, .get, path, as: bob).body.readableBytesView) == PhotoBytes.picture(1))
        }
    }
}
