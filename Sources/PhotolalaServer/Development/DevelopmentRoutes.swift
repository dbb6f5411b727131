import Foundation
import HTTPTypes
import Hummingbird
import IdentityProviders
import NIOCore
import PhotolalaAPI

/// Mounts the development provider below `/dev/providers/{name}`.
struct DevelopmentRoutes {
    let providers: [DevelopmentProvider]

    private static let bodyLimit = 16 << 10

    func mount(on router: Router<ServerContext>) {
        for provider in providers {
            let group = router.group("/dev/providers/\(provider.name)")
            group.get("\(DevelopmentProvider.Path.keys)") { _, _ in Self.json(provider.keySetDocument()) }
            group.get("\(DevelopmentProvider.Path.discovery)") { _, _ in
                Self.json(try provider.discoveryDocument())
            }
            group.post("\(DevelopmentProvider.Path.issue)") { request, _ in
                try await Self.issue(provider, request)
            }
            group.post("\(DevelopmentProvider.Path.oauthToken)") { request, _ in
                Self.answer(provider.token(form: try await Self.form(request)))
            }
            group.post("\(DevelopmentProvider.Path.oauthRevoke)") { request, _ in
                Self.answer(provider.revoke(form: try await Self.form(request)))
            }
        }
    }

    private static func issue(_ provider: DevelopmentProvider, _ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: bodyLimit)
        guard let wanted = try? JSONDecoder().decode(DevelopmentTokenRequest.self, from: Data(body.readableBytesView))
        else { throw InvalidBody(explanation: "Send JSON with at least a subject.") }
        do {
            return json(try JSONEncoder().encode(try provider.issueToken(wanted)))
        } catch DevelopmentProviderError.invalidRequest(let what) {
            throw InvalidBody(explanation: "\(what) is not allowed.")
        }
    }

    private static func form(_ request: Request) async throws -> ByteBufferView {
        try await request.body.collect(upTo: bodyLimit).readableBytesView
    }

    private static func answer(_ answer: DevelopmentOAuthAnswer) -> Response {
        json(answer.body, status: .init(code: answer.status))
    }

    private static func json(_ body: Data, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: body))
        )
    }
}
