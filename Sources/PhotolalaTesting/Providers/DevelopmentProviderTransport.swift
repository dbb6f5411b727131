import DevelopmentIdentityProvider
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Transport

/// Connects a test's verifiers to development providers without a network, and records the requests.
package final class DevelopmentProviderTransport: HTTPTransport {
    private struct State {
        var requests: [String] = []
        var failure: TransportError?
        var interruption: (suffix: String, act: @Sendable () async -> Void)?
    }

    private let providers: [DevelopmentProvider]
    private let state = Mutex(State())

    package init(_ providers: [DevelopmentProvider]) { self.providers = providers }

    /// The requested URLs, in order.
    package var requests: [String] { state.withLock { $0.requests } }

    /// Makes every following request fail; `nil` ends that.
    package func fail(with failure: TransportError?) { state.withLock { $0.failure = failure } }

    /// Runs a closure once, after the provider has handled the next request to a matching URL and before the response
    /// is returned.
    package func beforeAnswering(to suffix: String, _ act: @escaping @Sendable () async -> Void) {
        state.withLock { $0.interruption = (suffix, act) }
    }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let failure = state.withLock { state in
            state.requests.append(request.url)
            return state.failure
        }
        if let failure { throw failure }
        let answer = response(request)
        let interruption = state.withLock { state in
            guard let next = state.interruption, request.url.hasSuffix(next.suffix) else {
                return nil as (@Sendable () async -> Void)?
            }
            state.interruption = nil
            return next.act
        }
        await interruption?()
        return answer
    }

    private func response(_ request: TransportRequest) -> TransportResponse {
        for provider in providers {
            switch request.url {
            case "\(provider.issuer)/\(DevelopmentProvider.Path.keys)":
                return Self.response(200, provider.keySetDocument())
            case "\(provider.issuer)/\(DevelopmentProvider.Path.oauthToken)":
                let answer = provider.token(form: Self.bytes(request.body))
                return Self.response(answer.status, answer.body)
            case "\(provider.issuer)/\(DevelopmentProvider.Path.oauthRevoke)":
                let answer = provider.revoke(form: Self.bytes(request.body))
                return Self.response(answer.status, answer.body)
            case let url where url.hasPrefix("\(provider.issuer)/\(DevelopmentProvider.Path.graph)/"):
                let query = url.split(separator: "?", maxSplits: 1).last ?? ""
                let isMe = url.contains("/\(DevelopmentProvider.Path.graph)/me?")
                let answer = isMe ? provider.me(query: query.utf8) : provider.debugToken(query: query.utf8)
                return Self.response(answer.status, answer.body)
            case "\(provider.issuer)/\(DevelopmentProvider.Path.userMigration)":
                let answer = provider.userMigration(form: Self.bytes(request.body))
                return Self.response(answer.status, answer.body)
            default: continue
            }
        }
        return Self.response(404, Data("{}".utf8))
    }

    private static func bytes(_ body: TransportRequest.Body) -> [UInt8] {
        if case .bytes(let buffer) = body { Array(buffer.readableBytesView) } else { [] }
    }

    private static func response(_ status: Int, _ body: Data) -> TransportResponse {
        TransportResponse(
            status: status, headers: [.contentType: "application/json"],
            body: AsyncThrowingStream { continuation in
                continuation.yield(ByteBuffer(bytes: body))
                continuation.finish()
            }
        )
    }
}
