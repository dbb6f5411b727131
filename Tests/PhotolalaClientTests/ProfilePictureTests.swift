import Foundation
import HTTPTypes
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Testing
import Transport

@testable import PhotolalaClient

@Suite("Profile picture of an account") struct ProfilePictureTests {
    private static let path = "/users/\(ClientFixture.user)/picture"

    private static func with(
        _ script: [String: [FakeServer.Response]], _ test: (ClientFixture, PhotolalaSession) async throws -> Void
    ) async throws {
        let signIn = ["POST /auth/signin": [ClientFixture.signedInAnswer()]]
        try await ClientFixture.with(signIn.merging(script) { $1 }) { try await test($0, try await $0.signedIn()) }
    }

    @Sendable private static func image(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        .text("bytes of an image", status: 200, type: "image/webp", more: [.eTag: "\"v1\""])
    }

    @Test func `a picture is read with its version, and none is nil`() async throws {
        try await Self.with(["GET \(Self.path)": [Self.image, FakeServer.problem(.notFound, 404)]]) {
            fixture, session in
            let expected = VersionedPicture(data: Data("bytes of an image".utf8), version: "\"v1\"")
            let (first, second) = (try await session.profilePicture(), try await session.profilePicture())
            #expect(first == expected && second == nil)
            #expect(fixture.server.requests(Self.path).first?.headers[.accept]?.hasPrefix("image/*") == true)
        }
    }

    @Test func `a response that is no image is that of another server`() async throws {
        try await Self.with(["GET \(Self.path)": [{ _ in .text("<html>", status: 200, type: "text/html") }]]) {
            _, session in
            await #expect { try await session.profilePicture() } throws: {
                ($0 as? PhotolalaError)?.code == .notPhotolala
            }
        }
    }

    @Test func `a picture is sent as it is, and one that is too large is not sent`() async throws {
        let done = FakeServer.nothing
        try await Self.with(["PUT \(Self.path)": [done], "DELETE \(Self.path)": [done]]) { fixture, session in
            let bytes = Data(repeating: 7, count: ProfilePictureLimit.bytes)
            try await session.replaceProfilePicture(with: bytes, ifStill: "\"v1\"")
            try await session.removeProfilePicture(ifStill: "\"v2\"")
            await #expect { try await session.replaceProfilePicture(with: bytes + [7]) } throws: {
                ($0 as? PhotolalaError)?.code == .bodyTooLarge
            }
            let requests = fixture.server.requests(Self.path)
            #expect(requests.map { $0.headers[.ifMatch] } == ["\"v1\"", "\"v2\""])
            #expect(requests.first?.headers[.contentType] == "application/octet-stream")
            #expect(requests.first?.text == String(decoding: bytes, as: UTF8.self))
        }
    }
}
